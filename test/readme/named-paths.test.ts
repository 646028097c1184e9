import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { ROOT } from '../helpers/readme-blocks.js';

/** Folders whose pages say where things are. */
const FOLDERS = ['.', '.github', 'core', 'core/decisions'];
/** A path between backticks: it has a slash or the ending of a file, and nothing that stands for something else. */
const PATH = /^[\w.-]+(\/[\w.-]+)*(\/|\.(ts|md|json|js|sql|yml))$/;
const FENCE = /^```[\s\S]*?^```$/gm;

/** A file that every room has. */
const EVERYWHERE = 'module.ts';
/** Pages for who writes a plugin: their text names files of a package that is yet to be written, their links do not. */
const OF_PLUGINS = join('core', 'spi');

/** What a page names as a file or folder: targets of its links, without addresses of the web, and paths in its text. */
function namedPaths(page: string, text: string): string[] {
  const plain = text.replace(FENCE, '');
  const links = [...plain.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const words = page.startsWith(OF_PLUGINS) ? [] : [...plain.matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  return [
    ...links.filter((target) => !/^[a-z]+:/.test(target)),
    ...words.filter((word) => PATH.test(word) && word !== EVERYWHERE),
  ];
}

/** The pages of those folders, and the README of every room and of every folder within one. */
async function pages(): Promise<string[]> {
  const rooms = (await readdir(join(ROOT, 'core'), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const within = rooms.map(async ({ name }) => {
    const entries = await readdir(join(ROOT, 'core', name), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => `core/${name}/${entry.name}`);
  });
  const folders = [...FOLDERS, ...rooms.map(({ name }) => `core/${name}`), ...(await Promise.all(within)).flat()];
  const found = new Set<string>();
  for (const folder of folders.filter((one) => existsSync(join(ROOT, one)))) {
    for (const file of await readdir(join(ROOT, folder))) if (file.endsWith('.md')) found.add(join(folder, file));
  }
  return [...found];
}

test('every file and folder that the pages about the host name is there', async (t) => {
  const named = await pages();
  t.true(named.includes(join('core', 'README.md')));
  const missing: string[] = [];
  for (const page of named) {
    const text = await readFile(join(ROOT, page), 'utf8');
    const folders = [dirname(page), '.', 'core'];
    for (const path of namedPaths(page, text)) {
      if (!folders.some((folder) => existsSync(join(ROOT, folder, path)))) missing.push(`${page}: ${path}`);
    }
  }
  t.deepEqual(missing, []);
});
