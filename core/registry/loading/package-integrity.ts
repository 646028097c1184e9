import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { Package } from './find-packages.js';

/** Folders that are not part of a package. One belongs to npm, whose lock file covers it, the other to git. */
const EXCLUDED_FOLDERS = new Set(['node_modules', '.git']);

interface PackageFile {
  /** Relative to the package's folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/**
 * Computes the `integrity` of plugins.json: `sha512-` and the base64 SHA-512 of all files of a package except those in
 * its own `node_modules` and `.git`. The files are sorted by path (`/` between folders, compared as UTF-16). Each is
 * hashed as path, NUL, length in bytes as decimal text, NUL, content.
 * @throws BootError `plugin_integrity` if there is a symbolic link, because its target may change
 */
export async function packageIntegrity({ name, dir }: Pick<Package, 'name' | 'dir'>): Promise<string> {
  const files = await filesOf(dir);
  const link = files.find(({ isLink }) => isLink);
  if (link === undefined) return digestOf(dir, files);
  throw new BootError('plugin_integrity', `cannot compute the integrity of ${name}: ${link.path} is a symbolic link`, {
    plugin: name,
    hint: 'replace the link with the file',
  });
}

/** Returns the same digest, to compare two copies of a package. A symbolic link is hashed by its target. */
export async function packageDigest(dir: string): Promise<string> {
  return digestOf(dir, await filesOf(dir));
}

/**
 * Checks that a package matches the integrity in plugins.json.
 * @throws BootError `plugin_integrity`
 */
export async function checkIntegrity(listedPackage: Package, expectedIntegrity: string): Promise<void> {
  const actual = await packageIntegrity(listedPackage);
  if (actual === expectedIntegrity) return;
  const { name } = listedPackage;
  throw new BootError('plugin_integrity', `${name} does not match its integrity in plugins.json`, {
    plugin: name,
    hint:
      `if you changed it, run "keyhost plugin lock ${name}", which writes ${actual}; if not, install the package again ` +
      'with keyhost plugin add --force, and find out who changed it',
  });
}

async function digestOf(dir: string, files: readonly PackageFile[]): Promise<string> {
  const hash = createHash('sha512');
  for (const { path, isLink } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const content = isLink ? Buffer.from(await readlink(join(dir, path))) : await readFile(join(dir, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return `sha512-${hash.digest('base64')}`;
}

async function filesOf(dir: string, folder = ''): Promise<PackageFile[]> {
  const files: PackageFile[] = [];
  for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`;
    if (EXCLUDED_FOLDERS.has(path)) continue;
    if (entry.isDirectory()) files.push(...(await filesOf(dir, `${path}/`)));
    else files.push({ path, isLink: entry.isSymbolicLink() });
  }
  return files;
}
