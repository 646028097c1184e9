import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { ROOT } from '../helpers/readme-blocks.js';

/** Folders whose pages name paths. */
const FOLDERS = ['.', '.github', 'core', 'core/decisions', 'realms', 'providers', 'test/bench'];
/** A path in backticks: with a slash or a file ending, and without placeholders. */
const PATH = /^[\w.-]+(\/[\w.-]+)*(\/|\.(ts|md|json|js|sql|yml))$/;
/** The form in which pages on npm link to files of the repository. */
const OF_REPOSITORY =
  /^https:\/\/(?:github\.com\/keyhost\/keyhost\/(?:blob|tree)|raw\.githubusercontent\.com\/keyhost\/keyhost)\/main\//;
const FENCE = /^```[\s\S]*?^```$/gm;

/** A file that every module has. */
const EVERYWHERE = 'module.ts';
/** The output of a build exists only after it. */
const BUILT = 'dist/';
/** Pages for authors of plugins or realm files: their text names files that do not exist yet, their links do not. */
const OF_AUTHORS = [join('core', 'spi'), join('core', 'docs', 'tutorial'), 'realms', 'providers'];

/** The targets of a page's links and pictures: the file, as a page of this repository names it, and the section. */
function linkTargets(text: string): [target: string, section: string][] {
  const targets = text.matchAll(/(?:\]\(|\ssrc=")([^)"#\s]*)(?:#([^)"]*))?[)"]/g);
  return [...targets].map(([, target = '', section = '']) => [target.replace(OF_REPOSITORY, ''), section]);
}

/** The sections of a page, as GitHub names them. */
function sectionsOf(text: string): string[] {
  const headings = text.replace(FENCE, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The files and folders that a page names: targets of its links, without web addresses, and paths in its text. */
function namedPaths(page: string, text: string): string[] {
  const plain = text.replace(FENCE, '');
  const links = linkTargets(plain).map(([target]) => target);
  const words = OF_AUTHORS.some((folder) => page.startsWith(folder))
    ? []
    : [...plain.matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  return [
    ...links.filter((target) => target !== '' && !/^[a-z]+:/.test(target)),
    ...words.filter((word) => PATH.test(word) && word !== EVERYWHERE && !word.startsWith(BUILT)),
  ];
}

/** The pages of those folders, and the README of every module and of every folder within one. */
async function pages(): Promise<string[]> {
  const modules = (await readdir(join(ROOT, 'core'), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const within = modules.map(async ({ name }) => {
    const entries = await readdir(join(ROOT, 'core', name), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => `core/${name}/${entry.name}`);
  });
  const folders = [...FOLDERS, ...modules.map(({ name }) => `core/${name}`), ...(await Promise.all(within)).flat()];
  const found = new Set<string>();
  for (const folder of folders.filter((one) => existsSync(join(ROOT, one)))) {
    for (const file of await readdir(join(ROOT, folder))) if (file.endsWith('.md')) found.add(join(folder, file));
  }
  return [...found];
}

test('named paths: every file and folder that the pages about the host name is there', async (t) => {
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

test('named paths: every section that a link of these pages leads to is there', async (t) => {
  const missing: string[] = [];
  for (const page of await pages()) {
    const text = await readFile(join(ROOT, page), 'utf8');
    for (const [target, section] of linkTargets(text.replace(FENCE, ''))) {
      if (section === '' || /^[a-z]+:/.test(target)) continue;
      const places = target === '' ? [page] : [join(dirname(page), target), target];
      const file = places.map((place) => join(ROOT, place)).find((place) => existsSync(place));
      const there = file?.endsWith('.md') ? sectionsOf(await readFile(file, 'utf8')) : [];
      if (!there.includes(section)) missing.push(`${page}: ${target}#${section}`);
    }
  }
  t.deepEqual(missing, []);
});

test('named paths: the README of the repository is short, and its links lead somewhere from npm, too', async (t) => {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  t.true(text.trimEnd().split('\n').length <= 120);
  const targets = [...text.replace(FENCE, '').matchAll(/(?:\]\(|\ssrc=")([^)"]*)/g)].map(([, target]) => target);
  t.deepEqual(
    targets.filter((target) => !target?.startsWith('http')),
    [],
  );
});
