import { readdir } from 'node:fs/promises';
import { rcompare, valid } from 'semver';

/** Returns the versions of the site in a folder, newest first. */
export async function versionsIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && valid(entry.name) !== null)
    .map(({ name }) => name)
    .sort(rcompare);
}
