import { pathToFileURL } from 'node:url';

/**
 * Imports a file that is not the host's own, which is code of a plugin. Alone in its file: compiled code that V8 kept cannot
 * import any more (core/build/).
 */
export function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href);
}
