import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { packageOf } from './package-of.js';

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/** The licences of the packages whose code is in the chunks, in the order of their names. @throws Error where one names none */
export async function licencesOf(chunks: readonly OutputChunk[]): Promise<string> {
  const folders = new Set(chunks.flatMap(({ modules }) => Object.keys(modules)).map((id) => packageOf(id)?.folder));
  const texts = await Promise.all([...folders].filter((one) => one !== undefined).map(licenceOf));
  const distinct = [...new Set(texts)].sort((one, other) => (one < other ? -1 : 1));
  return `The files in this folder contain code of these packages, under their licences.\n\n${distinct.join('\n')}`;
}

async function licenceOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const files = await licenceFiles(folder);
  const texts = await Promise.all(files.map(async (file) => (await readFile(file, 'utf8')).trim()));
  if (license === undefined && texts.length === 0)
    throw new Error(`${name} has no licence: the bundle cannot include it`);
  return [`${'='.repeat(100)}\n${name} ${version} (${license ?? 'as below'})`, ...texts, ''].join('\n\n');
}

/** Packages that hold code of others have a folder of licences. */
async function licenceFiles(folder: string): Promise<string[]> {
  const found = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => LICENCE.test(name));
  const files = await Promise.all(
    found.map(async (one) => {
      const path = join(folder, one.name);
      if (!one.isDirectory()) return [path];
      const inside = await readdir(path, { withFileTypes: true, recursive: true });
      return inside.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    }),
  );
  return files.flat().sort();
}
