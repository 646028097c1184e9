import { pathToFileURL } from 'node:url';

/**
 * Imports a file of a plugin. This function has a file of its own, because code from V8's compile cache cannot use
 * dynamic imports (core/build/).
 */
export function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href);
}
