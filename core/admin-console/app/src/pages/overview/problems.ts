import { encodeSegment } from '../../address.ts';
import type { HostPlugin, HostPlugins } from '../../api/plugins.ts';
import type { Provider } from '../../api/providers.ts';
import { fileHref, type RealmFileState } from '../../api/realm-files.ts';
import type { Messages } from '../../messages/en.ts';

/** A problem, with the page on which to fix it. */
export interface OverviewProblem {
  readonly key: string;
  readonly tone: 'bad' | 'warning';
  readonly title: string;
  /** The host's message, or the first mistake of a file. */
  readonly details: string | undefined;
  readonly href: string;
}

type Texts = Messages['overview'];

export function pluginProblems({ plugins, failure }: HostPlugins, texts: Texts): readonly OverviewProblem[] {
  const isReportedByPlugin = plugins.some((plugin) => plugin.failure?.report === failure?.report);
  const ofUpdate: readonly OverviewProblem[] =
    failure === undefined || isReportedByPlugin
      ? []
      : [{ key: 'update', tone: 'warning', title: texts.updateFailed, details: failure.report, href: '/plugins' }];
  return [...plugins.flatMap((plugin) => problemsOf(plugin, texts)), ...ofUpdate];
}

function problemsOf({ module, state, reason, failure }: HostPlugin, texts: Texts): readonly OverviewProblem[] {
  const href = `/plugins/${encodeSegment(module)}`;
  if (state === 'left out')
    return [{ key: module, tone: 'bad', title: texts.leftOut(module), details: failure?.report, href }];
  if (state === 'down') return [{ key: module, tone: 'bad', title: texts.down(module), details: reason, href }];
  return failure === undefined
    ? []
    : [{ key: module, tone: 'warning', title: texts.stale(module), details: failure.report, href }];
}

/** @param realmPath the start of the path of the realm's pages */
export function providerProblems(
  providers: readonly Provider[],
  realmPath: string,
  realm: string,
  texts: Texts,
): readonly OverviewProblem[] {
  return providers
    .filter(({ health }) => health.status !== 'up')
    .map(({ spi, id, displayName, health }) => ({
      key: `${spi}/${id}`,
      tone: 'bad',
      title: texts.provider(displayName ?? id, realm),
      details: health.reason,
      href: `${realmPath}/providers/${encodeSegment(spi)}/${encodeSegment(id)}`,
    }));
}

/** The maximum number of files that are listed. */
export const MAX_FILES = 5;

/** @param files the files in this state, at most one more than `MAX_FILES`, which means that there are others */
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
    const mistake = isInvalid
      ? problem && `${problem.line}:${problem.column} ${problem.path} ${problem.message}`
      : undefined;
    return {
      key: `file ${file.path} ${file.realm}`,
      tone,
      title,
      // The page of the file shows its edits, with their values. The host describes them only in English.
      details: mistake,
      href: fileHref(file),
    };
  });
  if (files.length <= MAX_FILES) return found;
  const title = isInvalid ? texts.moreInvalid : texts.moreDrifted;
  return [...found, { key: `${state} files`, tone, title, details: undefined, href: `/files?show=${state}` }];
}
