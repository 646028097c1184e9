import type { AuthenticationStep, StepResources } from '@keyhost/spi';
import { pluginFilePath } from '../../pages/resources/plugin-files.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';

type Challenge = Extract<AuthenticationStep, { outcome: 'challenge' }>;

/** What a page needs of its step's plugin, as paths below the host's base path. */
export type StepFiles = Readonly<Record<keyof StepResources, readonly string[]>>;

const SCRIPT = /\.m?js$/;
const KINDS: Readonly<Record<keyof StepResources, RegExp>> = { scripts: SCRIPT, styles: /\.css$/, workers: SCRIPT };
const NAMES = Object.keys(KINDS) as readonly (keyof StepResources)[];

/** What is wrong with the files that a page names. */
export function wrongFileOf({ registered }: EnabledAuthenticator, { resources = {} }: Challenge): string | undefined {
  const { files } = registered.plugin.resources ?? {};
  for (const kind of NAMES) {
    const wrong = resources[kind]?.find((path) => !KINDS[kind].test(path) || files?.has(path) !== true);
    if (wrong !== undefined)
      return `named "${wrong}" among the ${kind} of its page, which is none of its package's resources`;
  }
  return undefined;
}

export function stepFiles({ registered }: EnabledAuthenticator, { resources }: Challenge): StepFiles | undefined {
  const { hash } = registered.plugin.resources ?? {};
  if (resources === undefined || hash === undefined) return undefined;
  const { scripts = [], styles = [], workers = [] } = resources;
  const at = (paths: readonly string[]) => paths.map((path) => pluginFilePath(hash, path));
  return { scripts: at(scripts), styles: at(styles), workers: at(workers) };
}
