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
  return `The chunks beside this file hold code of these packages, under their licences.\n\n${distinct.join('\n')}`;
}

async function licenceOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const files = (await readdir(folder)).filter((file) => LICENCE.test(file)).sort();
  const texts = await Promise.all(files.map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()));
  if (license === undefined && texts.length === 0) throw new Error(`${name} has no licence`);
  return [`${'='.repeat(100)}\n${name} ${version} (${license ?? 'as below'})`, ...texts, ''].join('\n\n');
}
