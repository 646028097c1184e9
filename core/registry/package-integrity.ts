import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';
import type { Package } from './find-packages.js';

/**
 * What plugins.json calls `integrity`: `sha512-` and the base64 SHA-512 of all files of a package but those in its own
 * `node_modules`, which are npm's and its lock file's business. The files come sorted by path (`/` between folders, compared
 * as UTF-16), each as path, NUL, length in bytes as decimal text, NUL, content.
 * @throws BootError `plugin_integrity` when there is a symbolic link: what it leads to may change
 */
export async function packageIntegrity({ name, dir }: Pick<Package, 'name' | 'dir'>): Promise<string> {
  const hash = createHash('sha512');
  for (const file of (await filesOf(name, dir, '')).sort()) {
    const content = await readFile(join(dir, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return `sha512-${hash.digest('base64')}`;
}

async function filesOf(name: string, dir: string, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`;
    if (path === 'node_modules') continue;
    if (entry.isSymbolicLink()) {
      throw new BootError('plugin_integrity', `${name} has no integrity: ${path} is a symbolic link`, {
        plugin: name,
        hint: 'put the file itself there',
      });
    }
    if (entry.isDirectory()) files.push(...(await filesOf(name, dir, `${path}/`)));
    else files.push(path);
  }
  return files;
}

/** @throws BootError `plugin_integrity` when the package is not the one that plugins.json names */
export async function checkIntegrity(found: Package, expected: string): Promise<void> {
  const actual = await packageIntegrity(found);
  if (actual === expected) return;
  const { name } = found;
  throw new BootError('plugin_integrity', `${name} is not the package that plugins.json names`, {
    plugin: name,
    hint: `if it was you who changed it, "keyhost plugin lock ${name}" writes its integrity anew: ${actual}`,
  });
}
