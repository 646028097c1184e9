import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../model/thrown.js';

/** The encodings that the build writes for each file, the smaller one first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

export interface Asset {
  readonly type: string;
  /** Paths of the file and of its compressed forms, by `Content-Encoding`; `identity` is the file itself. */
  readonly files: ReadonlyMap<string, string>;
}

/** A bundle for browsers, as the build wrote it. */
export interface WebBundle {
  /** The content of index.html. The URLs of its assets begin with `./`. */
  readonly html: string;
  /** By file name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, Asset>;
}

/** @returns undefined if it is not built */
export async function readWebBundle(folder: string): Promise<WebBundle | undefined> {
  let html: string;
  try {
    html = await readFile(join(folder, 'index.html'), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const names = await readdir(join(folder, 'assets'));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type !== undefined) assets.set(name, { type, files: filesOf(join(folder, 'assets'), name, names) });
  }
  return { html, assets };
}

function filesOf(folder: string, name: string, names: readonly string[]): ReadonlyMap<string, string> {
  const encoded = ENCODINGS.filter(({ ending }) => names.includes(name + ending));
  return new Map([
    ...encoded.map((encoding): [string, string] => [encoding.name, join(folder, name + encoding.ending)]),
    ['identity', join(folder, name)],
  ]);
}
