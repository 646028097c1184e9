import { BootError } from '../../config/boot-error.js';
import type { Package } from './find-packages.js';
import { importFailurePosition } from './import-failure-position.js';

/**
 * Describes for people why and where the import of a package failed.
 * @param limit the time limit of the import, in milliseconds
 */
export async function importFailure(cause: unknown, found: Package, limit: number): Promise<BootError> {
  const module = found.name;
  const { code, message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'time_limit') {
    return new BootError('plugin_open_timeout', `${module}: importing it took longer than ${limit / 1000} s`, {
      plugin: module,
      hint: 'a module must not wait for anything while it is imported',
    });
  }
  const missing =
    code === 'ERR_MODULE_NOT_FOUND' ? /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] : undefined;
  if (missing !== undefined) {
    const bare = !missing.startsWith('/') && !missing.startsWith('file:');
    const what = bare ? missing : `the file ${missing.slice(missing.lastIndexOf('/') + 1)}`;
    return new BootError('plugin_dependency_missing', `${module} requires ${what}, which is not installed`, {
      plugin: module,
      hint: bare ? `npm install ${missing}, or npm install in the plugin's folder` : 'build the package: npm run build',
      cause,
    });
  }
  if (code === 'worker_down') {
    return new BootError('plugin_open_exit', `${module}: its worker ended during the import: ${message}`, {
      plugin: module,
      hint: 'fix the code that runs during the import, or increase "memory" in plugins.json',
    });
  }
  if (code === 'not_cloneable') return new BootError('plugin_shape', `${module}: ${message}`, { plugin: module });
  const place = await importFailurePosition(cause, found);
  const what = place === undefined ? message : `${place}: ${message}`;
  return new BootError('plugin_import_failed', `${module} could not be imported: ${what}`, {
    plugin: module,
    hint: 'fix the code that runs during the import, then build the plugin again',
    cause,
  });
}
