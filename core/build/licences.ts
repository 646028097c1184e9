import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.js';

const LICENCE = /^(licen[cs]e|copying|notice)/i;

/**
 * Returns the licences of packages, sorted by name. Most texts are shared, so packages with the same text are listed
 * together in front of it.
 *
 * @throws Error if a package has no licence
 */
export async function licencesOf(packages: readonly BundledPackage[]): Promise<string> {
  const licences = await Promise.all(packages.map(licenceOf));
  const byText = new Map<string, Set<string>>();
  for (const { title, text } of licences.sort((one, other) => (one.title < other.title ? -1 : 1))) {
    byText.set(text, (byText.get(text) ?? new Set()).add(title));
  }
  const parts = [...byText].map(([text, titles]) => `${'='.repeat(100)}\n${[...titles].join('\n')}\n\n${text}\n`);
  return `The files in this folder contain code of these packages, under their licences.\n\n${parts.join('\n')}`;
}

async function licenceOf({
  folder,
  manifest: { name, version, license },
}: BundledPackage): Promise<{ readonly title: string; readonly text: string }> {
  const files = await licenceFiles(folder);
  const texts = await Promise.all(files.map(async (file) => (await readFile(file, 'utf8')).trim()));
  if (license === undefined && texts.length === 0)
    throw new Error(`${name} has no licence: the bundle cannot include it`);
  return { title: `${name} ${version} (${license ?? 'as below'})`, text: texts.join('\n\n') };
}

/** Returns the licence files of a package. A package with third-party code may have a folder of them. */
async function licenceFiles(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => LICENCE.test(name));
  const files = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      const nestedFiles = await readdir(path, { withFileTypes: true, recursive: true });
      return nestedFiles.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    }),
  );
  return files.flat().sort();
}
