import type { HostPlugin, PastUpdate } from '../../api/plugins.ts';

/** Between the words of what the host tells of an update. */
const BETWEEN = /[\s:;,"'`()]+/;

/** The past updates that tell of the plugin: the host says what each did in sentences. */
export function updatesOf(
  { module, name }: Pick<HostPlugin, 'module' | 'name'>,
  history: readonly PastUpdate[],
): readonly PastUpdate[] {
  return history.filter(({ changes, failures }) => {
    const words = [...changes, ...failures].flatMap((text) => text.split(BETWEEN));
    return words.includes(module) || (name !== undefined && words.includes(name));
  });
}
