import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BootError } from '../config/boot-error.js';

/** Manifests are small; a larger one is no manifest. */
const MANIFEST_LIMIT = 1024 * 1024;

export interface Packages {
  readonly good: ReadonlyMap<string, Package>;
  /** By folder: what has a package.json that cannot be read. It matters only where plugins.json names it. */
  readonly bad: ReadonlyMap<string, BootError>;
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly dir: string;
}

/** The packages of the providers folder, by name. @throws BootError when two have the same name */
export async function findPackages(providersDir: string): Promise<Packages> {
  const good = new Map<string, Package>();
  const bad = new Map<string, BootError>();
  let names: string[];
  try {
    names = await readdir(providersDir);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { good, bad };
    throw cause;
  }
  const dirs: string[] = [];
  for (const name of names.sort()) {
    if (!name.startsWith('@')) dirs.push(join(providersDir, name));
    else
      for (const inner of (await readdir(join(providersDir, name))).sort()) dirs.push(join(providersDir, name, inner));
  }
  for (const dir of dirs) {
    const manifest = join(dir, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, version, problem } = await readManifest(manifest);
    if (problem !== undefined) {
      const module = relative(providersDir, dir).split(sep).join('/');
      const hint = 'mend or remove the package';
      bad.set(module, new BootError('plugin_shape', `${manifest} ${problem}`, { plugin: module, hint }));
      continue;
    }
    const other = good.get(name);
    if (other !== undefined) {
      throw new BootError('plugin_duplicate_id', `${dir} and ${other.dir} both are the package ${name}`, {
        plugin: name,
      });
    }
    good.set(name, { name, version, dir });
  }
  return { good, bad };
}

/** The package in this folder. @throws BootError `plugin_missing`, `plugin_shape` */
export async function packageAt(dir: string): Promise<Package> {
  const file = join(dir, 'package.json');
  if (!existsSync(file)) {
    throw new BootError('plugin_missing', `${dir} holds no package`, { hint: 'a package has a package.json' });
  }
  const { name, version, problem } = await readManifest(file);
  if (problem === undefined) return { name, version, dir };
  throw new BootError('plugin_shape', `${file} ${problem}`, { hint: 'mend the package' });
}

/** Name and version of a package.json, or what is wrong with it. */
async function readManifest(
  file: string,
): Promise<
  { name: string; version: string; problem?: undefined } | { name?: never; version?: never; problem: string }
> {
  if ((await stat(file)).size > MANIFEST_LIMIT) return { problem: 'is larger than 1 MiB' };
  let manifest: { name?: unknown; version?: unknown } | null;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return { problem: 'is not JSON' };
  }
  const { name, version } = manifest ?? {};
  if (typeof name !== 'string') return { problem: 'has no name' };
  return { name, version: typeof version === 'string' ? version : '0.0.0' };
}
