import type { HostPlugin, PastUpdate } from '../../api/plugins.ts';

/** Separates the words in the host's report of an update. */
const SEPARATORS = /[\s:;,"'`()]+/;

/** The past updates that mention the plugin in the sentences of their report. */
export function updatesOf(
  { module, name }: Pick<HostPlugin, 'module' | 'name'>,
  history: readonly PastUpdate[],
): readonly PastUpdate[] {
  return history.filter(({ changes, failures }) => {
    const words = [...changes, ...failures].flatMap((text) => text.split(SEPARATORS));
    return words.includes(module) || (name !== undefined && words.includes(name));
  });
}
