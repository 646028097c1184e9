import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve as resolveImport } from 'import-meta-resolve';
import { BootError } from '../config/boot-error.js';
import type { Package } from './find-packages.js';
import { OPEN_LIMIT_MS } from './opened-plugin.js';
import { within } from './time-limit.js';

/**
 * The default export of a package, whatever it is.
 * @param providersDir what its entry file must lie in
 * @throws BootError `plugin_import_failed`, `plugin_dependency_missing`, `plugin_open_timeout`, `plugin_outside`
 */
export async function importPackage(found: Package, providersDir: string, limitMs = OPEN_LIMIT_MS): Promise<unknown> {
  return importPlugin(await entryFile(found, providersDir), found.name, limitMs);
}

/** A symbolic link must not lead out of the providers folder, and nobody but the owner may write there. */
export async function checkInside(path: string, providersDir: string, module: string): Promise<{ inode: number }> {
  const root = await realpath(providersDir);
  const real = await realpath(path);
  if (!real.startsWith(root + sep)) {
    throw new BootError('plugin_outside', `${module} leads out of ${providersDir}`, {
      plugin: module,
      hint: 'copy the package into the folder instead of linking it',
    });
  }
  const { mode, ino: inode } = await stat(real);
  if (process.platform !== 'win32' && (mode & 0o002) !== 0) {
    throw new BootError('plugin_outside', `${module}: everybody may write to ${relative(root, real)}`, {
      plugin: module,
      hint: `chmod o-w ${path}`,
    });
  }
  return { inode };
}

async function entryFile({ name, dir }: Package, providersDir: string): Promise<string> {
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

async function importPlugin(file: string, module: string, limit: number): Promise<unknown> {
  try {
    const imported = (await within(limit, () => import(pathToFileURL(file).href))) as { default?: unknown };
    return imported.default;
  } catch (cause) {
    const { code, message = String(cause) } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
    if (code === 'time_limit') {
      throw new BootError('plugin_open_timeout', `${module}: importing it took longer than ${limit / 1000} s`, {
        plugin: module,
        hint: 'a module must not wait for anything while it is imported',
      });
    }
    const missing =
      code === 'ERR_MODULE_NOT_FOUND' ? /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] : undefined;
    if (missing !== undefined) {
      const bare = !missing.startsWith('/') && !missing.startsWith('file:');
      const what = bare ? missing : `the file ${missing.slice(missing.lastIndexOf('/') + 1)}`;
      throw new BootError('plugin_dependency_missing', `${module} needs ${what}, which is not installed`, {
        plugin: module,
        hint: bare
          ? `npm install ${missing}, or npm install in the plugin's folder`
          : 'build the package: npm run build',
        cause,
      });
    }
    throw new BootError('plugin_import_failed', `${module} could not be imported: ${message}`, {
      plugin: module,
      hint: 'the first line of its stack says where',
      cause,
    });
  }
}
