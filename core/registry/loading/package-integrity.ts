import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { Package } from './find-packages.js';

/** Folders of a package that are not it: npm's and its lock file's business, and git's. */
const LEFT_OUT = new Set(['node_modules', '.git']);

interface PackageFile {
  /** From the package's folder, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/**
 * What plugins.json calls `integrity`: `sha512-` and the base64 SHA-512 of all files of a package but those in its own
 * `node_modules` and `.git`. The files come sorted by path (`/` between folders, compared as UTF-16), each as path, NUL,
 * length in bytes as decimal text, NUL, content.
 * @throws BootError `plugin_integrity` when there is a symbolic link: what it leads to may change
 */
export async function packageIntegrity({ name, dir }: Pick<Package, 'name' | 'dir'>): Promise<string> {
  const files = await filesOf(dir);
  const link = files.find(({ isLink }) => isLink);
  if (link === undefined) return digest(dir, files);
  throw new BootError('plugin_integrity', `cannot compute the integrity of ${name}: ${link.path} is a symbolic link`, {
    plugin: name,
    hint: 'replace the link with the file',
  });
}

/** The same for telling two copies of a package apart: a link counts by where it leads. */
export async function packageDigest(dir: string): Promise<string> {
  return digest(dir, await filesOf(dir));
}

/** @throws BootError `plugin_integrity` when the package is not the one that plugins.json names */
export async function checkIntegrity(found: Package, expected: string): Promise<void> {
  const actual = await packageIntegrity(found);
  if (actual === expected) return;
  const { name } = found;
  throw new BootError('plugin_integrity', `${name} does not match its integrity in plugins.json`, {
    plugin: name,
    hint:
      `if you changed it, run "keyhost plugin lock ${name}", which writes ${actual}; if not, install the package again ` +
      'with keyhost plugin add --force, and find out who changed it',
  });
}

async function digest(dir: string, files: readonly PackageFile[]): Promise<string> {
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
    if (LEFT_OUT.has(path)) continue;
    if (entry.isDirectory()) files.push(...(await filesOf(dir, `${path}/`)));
    else files.push({ path, isLink: entry.isSymbolicLink() });
  }
  return files;
}
