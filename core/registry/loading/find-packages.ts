import { existsSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readJsonDocument } from '../../config/json/json-document.js';
import { codeOf } from '../../model/thrown.js';

/** Maximum size of a package.json, in bytes. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

export interface Packages {
  readonly valid: ReadonlyMap<string, Package>;
  /**
   * The problems of packages with an unreadable package.json, by folder. They are errors only if plugins.json names the
   * package.
   */
  readonly invalid: ReadonlyMap<string, BootError>;
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly dir: string;
  /** The members of package.json that the host uses, not validated. */
  readonly manifest: { readonly [member in 'dependencies' | 'exports' | 'files' | 'main']?: unknown };
}

/**
 * Returns the packages in the providers folder, by name.
 * @throws BootError if two have the same name
 */
export async function findPackages(providersDir: string): Promise<Packages> {
  const valid = new Map<string, Package>();
  const invalid = new Map<string, BootError>();
  let names: string[];
  try {
    names = await readdir(providersDir);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { valid, invalid };
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
    const result = await readPackage(dir, relative(providersDir, dir).split(sep).join('/'));
    if (result instanceof BootError) {
      invalid.set(result.plugin ?? dir, result);
      continue;
    }
    const { name } = result;
    const existing = valid.get(name);
    if (existing !== undefined) {
      throw new BootError('plugin_duplicate_id', `${dir} and ${existing.dir} both are the package ${name}`, {
        plugin: name,
      });
    }
    valid.set(name, result);
  }
  return { valid, invalid };
}

/**
 * Returns the package in a folder, or the error in its package.json.
 * @param module the name of the package in plugins.json
 */
export async function readPackage(dir: string, module = dir): Promise<Package | BootError> {
  const file = join(dir, 'package.json');
  const { name, version, content, problem } = await readManifest(file);
  if (problem === undefined) return { name, version, dir, manifest: content };
  const hint = 'fix or remove the package';
  return new BootError('plugin_shape', `${file} ${problem}`, { plugin: module, hint });
}

/**
 * Returns the package in this folder.
 * @throws BootError `plugin_missing`, `plugin_shape`
 */
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
  const result = await readPackage(dir);
  if (result instanceof BootError) throw result;
  return result;
}

/** Returns the name and version in a package.json, or a description of its error. */
async function readManifest(
  file: string,
): Promise<
  | { name: string; version: string; content: Package['manifest']; problem?: undefined }
  | { name?: never; version?: never; content?: never; problem: string }
> {
  if ((await stat(file)).size > MAX_MANIFEST_BYTES) return { problem: 'is larger than 1 MiB' };
  const text = await readFile(file, 'utf8');
  let manifest: (Package['manifest'] & { name?: unknown; version?: unknown }) | null;
  try {
    manifest = JSON.parse(text);
  } catch {
    const document = readJsonDocument(file, Buffer.from(text));
    const [{ line = 1, column = 1 } = {}] = 'problems' in document ? document.problems : [];
    return { problem: `is not JSON: see line ${line}, column ${column}` };
  }
  const { name, version } = manifest ?? {};
  if (manifest === null || typeof name !== 'string') return { problem: 'has no name' };
  return { name, version: typeof version === 'string' ? version : '0.0.0', content: manifest };
}
