import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve as resolveImport } from 'import-meta-resolve';
import { BootError } from '../../config/boot-error.js';
import { within } from '../sessions/time-limit.js';
import { beginLoading, requireIntact } from './builtin-tampering.js';
import { defaultExport } from './default-export.js';
import type { Package } from './find-packages.js';
import { importFailure } from './import-failure.js';
import { importFile } from './import-file.js';
import { OPEN_LIMIT_MS } from './open-provider.js';

/**
 * Imports a package into this thread. @returns its default export, unchecked
 * @param providersDir the folder that must contain its entry file
 * @throws BootError `plugin_import_failed`, `plugin_dependency_missing`, `plugin_open_timeout`, `plugin_outside`,
 * `plugin_tampering`
 */
export async function importInProcess(found: Package, providersDir: string, limitMs = OPEN_LIMIT_MS): Promise<unknown> {
  const file = await entryFile(found, providersDir);
  const ends = beginLoading();
  try {
    return defaultExport(await within(limitMs, () => importFile(file)));
  } catch (cause) {
    throw await importFailure(cause, found, limitMs);
  } finally {
    ends();
    // Also after a failure: its earlier changes remain.
    requireIntact(found.name);
  }
}

/** Checks that a symbolic link does not lead out of the providers folder, and that only the owner can write there. */
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

/** Returns the entry file of the package's `exports`. @throws BootError `plugin_import_failed`, `plugin_outside` */
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
