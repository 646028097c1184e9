import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ROOT } from '../helpers/readme-blocks.js';

const FOLDERS = ['.github', 'core', 'providers', 'realms'];
/** Pages, and the English texts of the pages and of the admin console. */
const PROSE =
  /\.md$|^core\/pages\/messages\/[a-z-]*english[a-z-]*\.ts$|^core\/admin-console\/app\/src\/(messages\/en|.*texts)\.ts$/;
/** Files that releases and programs write. */
const WRITTEN = /(^|\/)(node_modules|dist|\.generations|CHANGELOG\.md$|api-report\.md$)/;

/** Every file whose words the style sheet rules, as the repository names it. */
export async function proseFiles(): Promise<string[]> {
  const found = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const files = found.flat().map((file) => file.split(sep).join('/'));
  return ['README.md', ...files.filter((file) => PROSE.test(file) && !WRITTEN.test(file)).sort()];
}
