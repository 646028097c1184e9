import type { CallFailure } from '../../api/providers.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

/** The newest failed calls in this realm; renders nothing if there are none. */
export function LastFailures({ failures }: { failures: readonly CallFailure[] }) {
  const strings = useTexts(texts);
  const { calls } = useMessages();
  const ends: Readonly<Record<string, string>> = calls.ends;
  if (failures.length === 0) return null;
  const columns: readonly Column<CallFailure>[] = [
    { title: strings.when, show: ({ at }) => <Time at={at} /> },
    { title: strings.method, show: ({ method }) => <code>{method}</code> },
    { title: strings.outcome, isMinor: true, show: ({ end }) => ends[end] ?? end },
    { title: strings.error, show: ({ error }) => <code>{error}</code> },
  ];
  return (
    <section>
      <h2>{strings.failures}</h2>
      <p className="help section-lead">{strings.failuresLead}</p>
      <DataTable
        caption={strings.failures}
        columns={columns}
        rows={failures}
        keyOf={(failure) => `${failure.at} ${failures.indexOf(failure)}`}
      />
    </section>
  );
}
