import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { packageOf } from './package-of.js';

/** A package whose code is in a bundle. */
export interface BundledPackage {
  /** The folder in which it is installed. */
  readonly folder: string;
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    /** An SPDX expression. */
    readonly license?: string;
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
}

/** Returns the packages whose code is in the chunks, sorted by name and version, without the project's own packages. */
export async function bundledPackages(chunks: readonly OutputChunk[]): Promise<readonly BundledPackage[]> {
  const folders = new Set(chunks.flatMap(({ modules }) => Object.keys(modules)).map((id) => packageOf(id)?.folder));
  const packages = [...folders]
    .filter((folder) => folder !== undefined)
    .map(async (folder) => ({ folder, manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) }));
  return (await Promise.all(packages)).sort((left, other) => (nameAndVersion(left) < nameAndVersion(other) ? -1 : 1));
}

function nameAndVersion({ manifest: { name, version } }: BundledPackage): string {
  return `${name} ${version}`;
}
