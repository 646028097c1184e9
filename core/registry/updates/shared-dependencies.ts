import { readFile, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { Package } from '../loading/find-packages.js';
import { mayHaveChangedSince } from '../loading/package-files.js';

/**
 * Checks that shared dependencies of a plugin were not changed since they were loaded. A process loads a package only
 * once for each path. So a dependency in a node_modules above the plugin's own folder stays at the version that was
 * loaded first. A plugin that needs a newer version of it is rejected.
 * @param runningPackages the running packages: a dependency that none of them declares has not been loaded
 * @param since when the plugin's older version was loaded, in milliseconds since the epoch
 * @throws BootError `plugin_dependency_changed`
 */
export async function checkSharedDependencies(
  next: Package,
  runningPackages: readonly Package[],
  since: number,
): Promise<void> {
  const runningDependencies = new Set(
    runningPackages.flatMap(({ manifest }) => dependencyNames(manifest.dependencies)),
  );
  const visitedPaths = new Set<string>();
  const checkDependency = async (name: string, from: string): Promise<void> => {
    const dir = await findDependency(name, from);
    if (dir === undefined || visitedPaths.has(dir)) return;
    visitedPaths.add(dir);
    const manifest = join(dir, 'package.json');
    const isOwnDependency = dir.startsWith(next.dir + sep);
    if (!isOwnDependency && mayHaveChangedSince((await stat(manifest)).ctimeMs, since)) {
      throw new BootError(
        'plugin_dependency_changed',
        `${next.name} uses the shared dependency ${name}, which was changed`,
        {
          plugin: next.name,
          hint: 'restart the server, which keeps the loaded version, or install the dependency in the folder of the plugin',
        },
      );
    }
    const { dependencies } = JSON.parse(await readFile(manifest, 'utf8')) as { dependencies?: unknown };
    for (const dependency of dependencyNames(dependencies)) await checkDependency(dependency, dir);
  };
  for (const name of dependencyNames(next.manifest.dependencies))
    if (runningDependencies.has(name)) await checkDependency(name, next.dir);
}

function dependencyNames(dependencies: unknown): string[] {
  return typeof dependencies === 'object' && dependencies !== null ? Object.keys(dependencies) : [];
}

/** Finds a package as Node does: in the node_modules of a folder, or of the nearest folder above. */
async function findDependency(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const dir = join(folder, 'node_modules', name);
    const manifestStats = await stat(join(dir, 'package.json')).catch(() => undefined);
    if (manifestStats !== undefined) return dir;
    if (dirname(folder) === folder) return undefined;
  }
}
