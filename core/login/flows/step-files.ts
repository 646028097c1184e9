import type { AuthenticationStep, StepResources } from '@keyhost/spi';
import { pluginFilePath } from '../../pages/resources/plugin-files.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';

/** The page of a built-in step. It may need files of several plugins: those of the form actions in it. */
export type HostChallenge = Extract<AuthenticationStep, { outcome: 'challenge' }> & { readonly files?: StepFiles };

/** The provider that names the files. */
type Named = { readonly registered: Pick<RegisteredProvider, 'plugin'> };
type Naming = { readonly resources?: StepResources };

/** The files that a page loads from its step's plugin, as paths below the host's base path. */
export type StepFiles = Readonly<Record<keyof StepResources, readonly string[]>>;

const SCRIPT = /\.m?js$/;
const PATH_PATTERNS: Readonly<Record<keyof StepResources, RegExp>> = {
  scripts: SCRIPT,
  styles: /\.css$/,
  workers: SCRIPT,
};
const NAMES = Object.keys(PATH_PATTERNS) as readonly (keyof StepResources)[];

/** Describes the first file that the page must not name; undefined if there is none. */
export function fileProblem({ registered }: Named, { resources = {} }: Naming): string | undefined {
  const { files } = registered.plugin.resources ?? {};
  for (const kind of NAMES) {
    const wrong = resources[kind]?.find((path) => !PATH_PATTERNS[kind].test(path) || files?.has(path) !== true);
    if (wrong !== undefined)
      return `named "${wrong}" among the ${kind} of its page, which is none of its package's resources`;
  }
  return undefined;
}

export function stepFiles({ registered }: Named, { resources }: Naming): StepFiles | undefined {
  const { hash } = registered.plugin.resources ?? {};
  if (resources === undefined || hash === undefined) return undefined;
  const { scripts = [], styles = [], workers = [] } = resources;
  const at = (paths: readonly string[]) => paths.map((path) => pluginFilePath(hash, path));
  return { scripts: at(scripts), styles: at(styles), workers: at(workers) };
}

/** Merges the files of several plugins for one page; undefined if there are none. */
export function mergeFiles(all: readonly (StepFiles | undefined)[]): StepFiles | undefined {
  const some = all.filter((files) => files !== undefined);
  if (some.length === 0) return undefined;
  const of = (name: keyof StepFiles) => [...new Set(some.flatMap((files) => files[name]))];
  return { scripts: of('scripts'), styles: of('styles'), workers: of('workers') };
}
