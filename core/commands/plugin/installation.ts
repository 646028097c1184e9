import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of the host's own `@keyhost/spi`. */
export const SPI_DIR = dirname(dirname(createRequire(import.meta.url).resolve('@keyhost/spi')));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export async function readManifest(dir: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as Manifest;
}

/** The checkout of Keyhost whose `providers` folder this is; undefined for any other folder. */
export async function checkoutOf(providersDir: string): Promise<string | undefined> {
  const root = dirname(providersDir);
  const manifest = await readManifest(root).catch(() => undefined);
  return manifest?.name === 'keyhost' && join(root, 'providers') === providersDir ? root : undefined;
}
