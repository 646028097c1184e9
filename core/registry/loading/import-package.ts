import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve as resolveImport } from 'import-meta-resolve';
import { BootError } from '../../config/boot-error.js';
import { within } from '../sessions/time-limit.js';
import { beginLoading, requireIntactBuiltIns } from './builtin-tampering.js';
import { defaultExport } from './default-export.js';
import type { Package } from './find-packages.js';
import { describeImportFailure } from './import-failure.js';
import { importFile } from './import-file.js';
import { OPEN_LIMIT_MS } from './open-provider.js';

/**
 * Imports a package into this thread.
 * @returns its default export, not validated
 * @param providersDir the folder that must contain its entry file
 * @throws BootError `plugin_import_failed`, `plugin_dependency_missing`, `plugin_open_timeout`, `plugin_outside`,
 * `plugin_tampering`
 */
export async function importInProcess(
  importedPackage: Package,
  providersDir: string,
  limitMs = OPEN_LIMIT_MS,
): Promise<unknown> {
  const file = await entryFile(importedPackage, providersDir);
  const endLoading = beginLoading();
  try {
    return defaultExport(await within(limitMs, () => importFile(file)));
  } catch (cause) {
    throw await describeImportFailure(cause, importedPackage, limitMs);
  } finally {
    endLoading();
    // Check also after a failure, because what the code changed before it failed remains.
    requireIntactBuiltIns(importedPackage.name);
  }
}

/**
 * Checks that a path does not lead out of the providers folder by a symbolic link, and is not writable for everyone.
 * @returns the inode at the path
 * @throws BootError `plugin_outside`
 */
export async function checkInside(path: string, providersDir: string, module: string): Promise<{ inode: number }> {
  const root = await realpath(providersDir);
  const real = await realpath(path);
  if (!real.startsWith(root + sep)) {
    throw new BootError('plugin_outside', `${module} is a link to a place outside of ${providersDir}`, {
      plugin: module,
      hint: 'copy the package into the folder instead of linking it',
    });
  }
  const { mode, ino: inode } = await stat(real);
  if (process.platform !== 'win32' && (mode & 0o002) !== 0) {
    throw new BootError('plugin_outside', `${module}: every user of the machine can write to ${relative(root, real)}`, {
      plugin: module,
      hint: `chmod o-w ${path}`,
    });
  }
  return { inode };
}

/**
 * Returns the entry file of the package by its `exports`, else by its `main`.
 * @throws BootError `plugin_import_failed`, `plugin_outside`
 */
export async function entryFile({ name, dir }: Package, providersDir: string): Promise<string> {
  let file: string;
  try {
    file = fileURLToPath(resolveImport(name, pathToFileURL(join(dir, 'package.json')).href));
    if (!file.startsWith(dir + sep) && !file.startsWith((await realpath(dir)) + sep))
      throw new Error('resolved elsewhere');
  } catch {
    const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as { main?: string };
    file = join(dir, manifest.main ?? 'index.js');
  }
  if (!existsSync(file)) {
    throw new BootError('plugin_import_failed', `${name}: its entry file ${relative(dir, file)} does not exist`, {
      plugin: name,
      hint: 'build the package: npm run build',
    });
  }
  await checkInside(file, providersDir, name);
  return file;
}
