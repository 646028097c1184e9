import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ROOT } from '../../helpers/readme-blocks.js';

const FOLDERS = ['core', 'providers', 'test'];
const SOURCE = /\.(tsx?|[cm]?js)$/;
/** Programs write these. */
const GENERATED = /(^|\/)(node_modules|dist|\.generations|\.data)\//;

/** @returns the source files whose comments are checked, relative to the repository, sorted */
export async function commentFiles(): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const files = found.flat().map((file) => file.split(sep).join('/'));
  return files.filter((file) => SOURCE.test(file) && !GENERATED.test(file)).sort();
}
