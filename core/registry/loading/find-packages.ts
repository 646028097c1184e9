import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readJsonDocument } from '../../config/json/json-document.js';
import { codeOf } from '../../model/thrown.js';

/** In bytes. Manifests are small; a larger file is not accepted. */
const MANIFEST_LIMIT = 1024 * 1024;

export interface Packages {
  readonly good: ReadonlyMap<string, Package>;
  /** Packages with an unreadable package.json, by folder. An error only if plugins.json names the package. */
  readonly bad: ReadonlyMap<string, BootError>;
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly dir: string;
  /** Other members of package.json, unchecked. */
  readonly manifest: { readonly [member in 'dependencies' | 'exports' | 'files' | 'main']?: unknown };
}

/** Returns the packages in the providers folder, by name. @throws BootError if two have the same name */
export async function findPackages(providersDir: string): Promise<Packages> {
  const good = new Map<string, Package>();
  const bad = new Map<string, BootError>();
  let names: string[];
  try {
    names = await readdir(providersDir);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { good, bad };
    throw cause;
  }
  const dirs: string[] = [];
  for (const name of names.sort()) {
    if (name.startsWith('.')) continue;
    if (!name.startsWith('@')) dirs.push(join(providersDir, name));
    else
      for (const inner of (await readdir(join(providersDir, name))).sort()) dirs.push(join(providersDir, name, inner));
  }
  for (const dir of dirs) {
    if (!existsSync(join(dir, 'package.json'))) continue;
    const found = await readPackage(dir, relative(providersDir, dir).split(sep).join('/'));
    if (found instanceof BootError) {
      bad.set(found.plugin ?? dir, found);
      continue;
    }
    const { name } = found;
    const other = good.get(name);
    if (other !== undefined) {
      throw new BootError('plugin_duplicate_id', `${dir} and ${other.dir} both are the package ${name}`, {
        plugin: name,
      });
    }
    good.set(name, found);
  }
  return { good, bad };
}

/**
 * Returns the package of a folder, or the mistake in its package.json. @param module the name of the package in
 * plugins.json
 */
export async function readPackage(dir: string, module = dir): Promise<Package | BootError> {
  const file = join(dir, 'package.json');
  const { name, version, content, problem } = await readManifest(file);
  if (problem === undefined) return { name, version, dir, manifest: content };
  const hint = 'fix or remove the package';
  return new BootError('plugin_shape', `${file} ${problem}`, { plugin: module, hint });
}

/** Returns the package in this folder. @throws BootError `plugin_missing`, `plugin_shape` */
export async function packageAt(dir: string): Promise<Package> {
  if (!existsSync(join(dir, 'package.json'))) {
    if (!existsSync(dir)) {
      throw new BootError('plugin_missing', `${dir} not found`, { hint: 'use the folder of a package' });
    }
    if (statSync(dir).isFile()) {
      const hint = 'unpack a tarball first, or install it with keyhost plugin add';
      throw new BootError('plugin_missing', `${dir} is a file, not the folder of a package`, { hint });
    }
    throw new BootError('plugin_missing', `${dir} does not contain a package`, {
      hint: 'a package has a package.json',
    });
  }
  const found = await readPackage(dir);
  if (found instanceof BootError) throw found;
  return found;
}

/** Returns name and version of a package.json, or its mistake. */
async function readManifest(
  file: string,
): Promise<
  | { name: string; version: string; content: Package['manifest']; problem?: undefined }
  | { name?: never; version?: never; content?: never; problem: string }
> {
  if ((await stat(file)).size > MANIFEST_LIMIT) return { problem: 'is larger than 1 MiB' };
  const text = await readFile(file, 'utf8');
  let manifest: (Package['manifest'] & { name?: unknown; version?: unknown }) | null;
  try {
    manifest = JSON.parse(text);
  } catch {
    const told = readJsonDocument(file, Buffer.from(text));
    const [{ line = 1, column = 1 } = {}] = 'problems' in told ? told.problems : [];
    return { problem: `is not JSON: see line ${line}, column ${column}` };
  }
  const { name, version } = manifest ?? {};
  if (manifest === null || typeof name !== 'string') return { problem: 'has no name' };
  return { name, version: typeof version === 'string' ? version : '0.0.0', content: manifest };
}
