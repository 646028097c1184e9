import { BootError } from '../../config/boot-error.js';
import type { Package } from './find-packages.js';
import { importFailurePosition } from './import-failure-position.js';

/**
 * Explains to an operator why and where the import of a package failed.
 * @param limitMs the time limit of the import, in milliseconds
 */
export async function describeImportFailure(
  cause: unknown,
  failedPackage: Package,
  limitMs: number,
): Promise<BootError> {
  const module = failedPackage.name;
  const { code, message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code === 'time_limit') {
    return new BootError('plugin_open_timeout', `${module}: importing it took longer than ${limitMs / 1000} s`, {
      plugin: module,
      hint: 'a module must not wait for anything while it is imported',
    });
  }
  const missingModule =
    code === 'ERR_MODULE_NOT_FOUND' ? /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] : undefined;
  if (missingModule !== undefined) {
    const isPackageName = !missingModule.startsWith('/') && !missingModule.startsWith('file:');
    const missingName = isPackageName
      ? missingModule
      : `the file ${missingModule.slice(missingModule.lastIndexOf('/') + 1)}`;
    return new BootError('plugin_dependency_missing', `${module} requires ${missingName}, which is not installed`, {
      plugin: module,
      hint: isPackageName
        ? `npm install ${missingModule}, or npm install in the plugin's folder`
        : 'build the package: npm run build',
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
  const position = await importFailurePosition(cause, failedPackage);
  const detail = position === undefined ? message : `${position}: ${message}`;
  return new BootError('plugin_import_failed', `${module} could not be imported: ${detail}`, {
    plugin: module,
    hint: 'fix the code that runs during the import, then build the plugin again',
    cause,
  });
}
