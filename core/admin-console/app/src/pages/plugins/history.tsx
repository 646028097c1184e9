import type { PastUpdate } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from './texts.ts';

export function History({ updates }: { updates: readonly PastUpdate[] }) {
  const strings = useTexts(texts);
  const columns: readonly Column<PastUpdate>[] = [
    { title: strings.when, show: ({ at }) => <Time at={at} /> },
    {
      title: strings.what,
      show: (update) => (
        <>
          {strings.triggers[update.trigger]}
          <Details update={update} />
        </>
      ),
    },
    {
      title: strings.outcome,
      show: ({ outcome }) => <Badge tone={outcome === 'replaced' ? 'good' : 'bad'}>{strings.outcomes[outcome]}</Badge>,
    },
    { title: strings.generation, isNumber: true, isMinor: true, show: ({ generation }) => generation },
  ];
  return (
    <section>
      <h2>{strings.history}</h2>
      <p className="help section-lead">{strings.historyLead}</p>
      {updates.length === 0 ? (
        <p className="nothing">{strings.noHistory}</p>
      ) : (
        <DataTable
          caption={strings.history}
          columns={columns}
          rows={updates}
          keyOf={({ at, trigger, generation }) => `${at} ${trigger} ${generation}`}
        />
      )}
    </section>
  );
}

function Details({ update: { changes, failures } }: { update: PastUpdate }) {
  const { why } = useTexts(texts);
  return (
    <>
      {changes.map((change) => (
        <div key={change}>
          <small>{change}</small>
        </div>
      ))}
      {failures.length > 0 && (
        <details>
          <summary>
            <small>{why}</small>
          </summary>
          <pre className="told">{failures.join('\n\n')}</pre>
        </details>
      )}
    </>
  );
}
