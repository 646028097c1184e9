import { segment } from '../../address.ts';
import type { HostPlugin, HostPlugins } from '../../api/plugins.ts';
import type { Provider } from '../../api/providers.ts';
import { fileHref, type RealmFileState } from '../../api/realm-files.ts';
import type { Messages } from '../../messages/en.ts';

/** A problem, with the page on which to fix it. */
export interface OverviewProblem {
  readonly key: string;
  readonly tone: 'bad' | 'warning';
  readonly title: string;
  /** The host's own message. */
  readonly told: string | undefined;
  readonly href: string;
}

type Texts = Messages['overview'];

export function pluginProblems({ plugins, failure }: HostPlugins, texts: Texts): readonly OverviewProblem[] {
  const isTold = plugins.some((plugin) => plugin.failure?.report === failure?.report);
  const ofUpdate: readonly OverviewProblem[] =
    failure === undefined || isTold
      ? []
      : [{ key: 'update', tone: 'warning', title: texts.updateFailed, told: failure.report, href: '/plugins' }];
  return [...plugins.flatMap((plugin) => wrongOf(plugin, texts)), ...ofUpdate];
}

function wrongOf({ module, state, reason, failure }: HostPlugin, texts: Texts): readonly OverviewProblem[] {
  const href = `/plugins/${segment(module)}`;
  if (state === 'left out')
    return [{ key: module, tone: 'bad', title: texts.leftOut(module), told: failure?.report, href }];
  if (state === 'down') return [{ key: module, tone: 'bad', title: texts.down(module), told: reason, href }];
  return failure === undefined
    ? []
    : [{ key: module, tone: 'warning', title: texts.stale(module), told: failure.report, href }];
}

/** @param at the path of the realm's pages */
export function providerProblems(
  providers: readonly Provider[],
  at: string,
  realm: string,
  texts: Texts,
): readonly OverviewProblem[] {
  return providers
    .filter(({ health }) => health.status !== 'up')
    .map(({ spi, id, displayName, health }) => ({
      key: `${spi}/${id}`,
      tone: 'bad',
      title: texts.provider(displayName ?? id, realm),
      told: health.reason,
      href: `${at}/providers/${segment(spi)}/${segment(id)}`,
    }));
}

/** The maximum number of files that are listed. */
export const MAX_FILES = 5;

/** @param files those of one state: one more than are listed means that there are others */
export function fileProblems(
  files: readonly RealmFileState[],
  state: 'invalid' | 'drifted',
  texts: Texts,
): readonly OverviewProblem[] {
  const isInvalid = state === 'invalid';
  const tone = isInvalid ? 'bad' : 'warning';
  const found: readonly OverviewProblem[] = files.slice(0, MAX_FILES).map((file) => {
    const [problem] = file.problems;
    const title = isInvalid ? texts.fileInvalid(file.path) : texts.fileDrifted(file.realm ?? file.path);
    const told = isInvalid
      ? problem && `${problem.line}:${problem.column} ${problem.path} ${problem.message}`
      : undefined;
    return {
      key: `file ${file.path} ${file.realm}`,
      tone,
      title,
      told: told ?? file.edits.join('\n'),
      href: fileHref(file),
    };
  });
  if (files.length <= MAX_FILES) return found;
  const title = isInvalid ? texts.moreInvalid : texts.moreDrifted;
  return [...found, { key: `${state} files`, tone, title, told: undefined, href: `/files?show=${state}` }];
}
