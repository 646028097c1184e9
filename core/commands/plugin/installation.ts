import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this Keyhost: a checkout, or the package `keyhost` in a node_modules. */
export const HOST_DIR = fileURLToPath(new URL('../../../../', import.meta.url));

/** The folder of the host's own `@keyhost/spi`. */
export const SPI_DIR = dirname(dirname(fileURLToPath(import.meta.resolve('@keyhost/spi'))));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export async function manifestOf(dir: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as Manifest;
}

/** The checkout of Keyhost whose workspace a package in this folder is; undefined elsewhere. */
export async function checkoutOf(providersDir: string): Promise<string | undefined> {
  const root = dirname(providersDir);
  const manifest = await manifestOf(root).catch(() => undefined);
  return manifest?.name === 'keyhost' && join(root, 'providers') === providersDir ? root : undefined;
}
