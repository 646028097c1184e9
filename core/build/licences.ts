import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { packageOf } from './package-of.js';

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/**
 * The licences of the packages whose code is in the chunks, in the order of their names. Those with the same text stand together
 * before it: most of them differ by their names alone.
 *
 * @throws Error where one names none
 */
export async function licencesOf(chunks: readonly OutputChunk[]): Promise<string> {
  const folders = new Set(chunks.flatMap(({ modules }) => Object.keys(modules)).map((id) => packageOf(id)?.folder));
  const licences = await Promise.all([...folders].filter((one) => one !== undefined).map(licenceOf));
  const byText = new Map<string, Set<string>>();
  for (const { title, text } of licences.sort((one, other) => (one.title < other.title ? -1 : 1))) {
    byText.set(text, (byText.get(text) ?? new Set()).add(title));
  }
  const parts = [...byText].map(([text, titles]) => `${'='.repeat(100)}\n${[...titles].join('\n')}\n\n${text}\n`);
  return `The files in this folder contain code of these packages, under their licences.\n\n${parts.join('\n')}`;
}

async function licenceOf(folder: string): Promise<{ readonly title: string; readonly text: string }> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const files = await licenceFiles(folder);
  const texts = await Promise.all(files.map(async (file) => (await readFile(file, 'utf8')).trim()));
  if (license === undefined && texts.length === 0)
    throw new Error(`${name} has no licence: the bundle cannot include it`);
  return { title: `${name} ${version} (${license ?? 'as below'})`, text: texts.join('\n\n') };
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
