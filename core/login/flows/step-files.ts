import type { AuthenticationStep, StepResources } from '@keyhost/spi';
import { pluginFilePath } from '../../pages/resources/plugin-files.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';

/** The page of a built-in authenticator. It may need files of several plugins, whose form actions it contains. */
export type HostChallenge = Extract<AuthenticationStep, { outcome: 'challenge' }> & { readonly files?: StepFiles };

/** The provider to whose plugin the files belong. */
type ProviderWithFiles = { readonly registered: Pick<RegisteredProvider, 'plugin'> };
type PageWithFiles = { readonly resources?: StepResources };

/** The files that a page loads from its plugin, as paths below the host's base path. */
export type StepFiles = Readonly<Record<keyof StepResources, readonly string[]>>;

const SCRIPT = /\.m?js$/;
const PATH_PATTERNS: Readonly<Record<keyof StepResources, RegExp>> = {
  scripts: SCRIPT,
  styles: /\.css$/,
  workers: SCRIPT,
};
const FILE_KINDS = Object.keys(PATH_PATTERNS) as readonly (keyof StepResources)[];

/** Describes the first file that the page must not use; undefined if there is none. */
export function fileProblem({ registered }: ProviderWithFiles, { resources = {} }: PageWithFiles): string | undefined {
  const { files } = registered.plugin.resources ?? {};
  for (const kind of FILE_KINDS) {
    const invalidPath = resources[kind]?.find((path) => !PATH_PATTERNS[kind].test(path) || files?.has(path) !== true);
    if (invalidPath !== undefined)
      return `named "${invalidPath}" among the ${kind} of its page, which is none of its package's resources`;
  }
  return undefined;
}

export function stepFiles({ registered }: ProviderWithFiles, { resources }: PageWithFiles): StepFiles | undefined {
  const { hash } = registered.plugin.resources ?? {};
  if (resources === undefined || hash === undefined) return undefined;
  const { scripts = [], styles = [], workers = [] } = resources;
  const toPublicPaths = (paths: readonly string[]) => paths.map((path) => pluginFilePath(hash, path));
  return { scripts: toPublicPaths(scripts), styles: toPublicPaths(styles), workers: toPublicPaths(workers) };
}

/** Merges the files of several plugins for one page; undefined if there are none. */
export function mergeFiles(filesOfPlugins: readonly (StepFiles | undefined)[]): StepFiles | undefined {
  const present = filesOfPlugins.filter((files) => files !== undefined);
  if (present.length === 0) return undefined;
  const merge = (name: keyof StepFiles) => [...new Set(present.flatMap((files) => files[name]))];
  return { scripts: merge('scripts'), styles: merge('styles'), workers: merge('workers') };
}
