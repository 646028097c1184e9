import { readFile, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { Package } from '../loading/find-packages.js';
import { mayHaveChangedSince } from '../loading/package-files.js';

/**
 * A process loads a package only once for each path. So a dependency that a plugin shares with others, in a
 * node_modules above its own folder, stays at the version that was loaded first. A plugin that needs a newer version of
 * it is refused.
 * @param running the packages that run: a dependency that none of them has was not loaded before
 * @param since when its older version was loaded, in milliseconds since the epoch
 * @throws BootError `plugin_dependency_changed`
 */
export async function checkSharedDependencies(
  next: Package,
  running: readonly Package[],
  since: number,
): Promise<void> {
  const known = new Set(running.flatMap(({ manifest }) => dependencyNames(manifest.dependencies)));
  const seen = new Set<string>();
  const look = async (name: string, from: string): Promise<void> => {
    const dir = await findDependency(name, from);
    if (dir === undefined || seen.has(dir)) return;
    seen.add(dir);
    const manifest = join(dir, 'package.json');
    const isOwn = dir.startsWith(next.dir + sep);
    if (!isOwn && mayHaveChangedSince((await stat(manifest)).ctimeMs, since)) {
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
    for (const inner of dependencyNames(dependencies)) await look(inner, dir);
  };
  for (const name of dependencyNames(next.manifest.dependencies)) if (known.has(name)) await look(name, next.dir);
}

function dependencyNames(dependencies: unknown): string[] {
  return typeof dependencies === 'object' && dependencies !== null ? Object.keys(dependencies) : [];
}

/** Finds a package from a folder: in its node_modules or the nearest one above. */
async function findDependency(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const dir = join(folder, 'node_modules', name);
    const found = await stat(join(dir, 'package.json')).catch(() => undefined);
    if (found !== undefined) return dir;
    if (dirname(folder) === folder) return undefined;
  }
}
