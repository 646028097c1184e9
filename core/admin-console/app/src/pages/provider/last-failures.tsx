import type { CallFailure } from '../../api/providers.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

/** The newest failed calls in this realm; renders nothing if there are none. */
export function LastFailures({ failures }: { failures: readonly CallFailure[] }) {
  const told = useTexts(texts);
  const { calls } = useMessages();
  const ends: Readonly<Record<string, string>> = calls.ends;
  if (failures.length === 0) return null;
  const columns: readonly Column<CallFailure>[] = [
    { title: told.when, show: ({ at }) => <Time at={at} /> },
    { title: told.method, show: ({ method }) => <code>{method}</code> },
    { title: told.outcome, isMinor: true, show: ({ end }) => ends[end] ?? end },
    { title: told.error, show: ({ error }) => <code>{error}</code> },
  ];
  return (
    <section>
      <h2>{told.failures}</h2>
      <p className="help section-lead">{told.failuresLead}</p>
      <DataTable
        caption={told.failures}
        columns={columns}
        rows={failures}
        keyOf={(failure) => `${failure.at} ${failures.indexOf(failure)}`}
      />
    </section>
  );
}
