import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { HostPlugin } from '../../api/plugins.ts';
import { countsOf } from '../../api/providers.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PluginState } from './plugin-state.tsx';
import { texts } from './texts.ts';

export function PluginTable({ plugins }: { plugins: readonly HostPlugin[] }) {
  const strings = useTexts(texts);
  const columns: readonly Column<HostPlugin>[] = [
    { title: strings.plugin, show: ({ module }) => <Link href={`/plugins/${encodeSegment(module)}`}>{module}</Link> },
    { title: strings.version, show: (plugin) => <Version plugin={plugin} /> },
    { title: strings.runs, isMinor: true, show: ({ isolation }) => <small>{isolationText(isolation, strings)}</small> },
    { title: strings.calls, isNumber: true, isMinor: true, show: (plugin) => countsOfAll(plugin).calls },
    { title: strings.failed, isNumber: true, isMinor: true, show: (plugin) => countsOfAll(plugin).failed },
    { title: strings.state, show: (plugin) => <PluginState plugin={plugin} /> },
  ];
  return <DataTable caption={strings.caption} columns={columns} rows={plugins} keyOf={({ module }) => module} />;
}

function Version({ plugin: { version, inFolder } }: { plugin: HostPlugin }) {
  const { waiting } = useTexts(texts);
  return (
    <>
      {version}
      {inFolder !== undefined && (
        <>
          <br />
          <small>{waiting(inFolder)}</small>
        </>
      )}
    </>
  );
}

export function isolationText(isolation: HostPlugin['isolation'], strings: (typeof texts)['en']): string | undefined {
  if (isolation === undefined) return undefined;
  return isolation === 'worker' ? strings.inWorker : strings.inProcess;
}

/** The counts of all its providers, in all realms. */
export function countsOfAll({ providers }: HostPlugin): { calls: number; failed: number } {
  const counts = providers.map(({ calls }) => countsOf(calls));
  const sum = (member: 'calls' | 'failed') => counts.reduce((total, one) => total + one[member], 0);
  return { calls: sum('calls'), failed: sum('failed') };
}
