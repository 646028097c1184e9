import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { callsByRealm, type RealmCalls } from '../../api/plugins.ts';
import { useTexts } from '../../messages/language.tsx';
import { CallEnds } from '../../parts/call-ends.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Pager } from '../../parts/pager.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { texts } from './texts.ts';

const MAX = 20;

/** The counts of the plugin's calls in each realm. */
export function CallsByRealm({ module }: { module: string }) {
  const strings = useTexts(texts);
  const { first, set } = useListState();
  const query = useQuery({ ...callsByRealm(module, first, MAX + 1), placeholderData: keepPreviousData });
  const columns: readonly Column<RealmCalls>[] = [
    {
      title: strings.realm,
      show: ({ realm, spi, id }) => (
        <Link href={`/realms/${encodeSegment(realm)}/providers/${encodeSegment(spi)}/${encodeSegment(id)}`}>
          {realm}
        </Link>
      ),
    },
    { title: strings.provider, show: ({ id }) => id },
    { title: strings.ended, show: (calls) => <CallEnds calls={calls} /> },
  ];
  return (
    <section>
      <h2>{strings.byRealm}</h2>
      <p className="help section-lead">{strings.byRealmLead}</p>
      <QueryResult query={query}>
        {(rows) =>
          rows.length === 0 && first === 0 ? (
            <p className="nothing">{strings.noCalls}</p>
          ) : (
            <>
              {rows.length === 0 ? (
                <p className="nothing">{strings.noMoreCalls}</p>
              ) : (
                <DataTable
                  caption={strings.byRealm}
                  columns={columns}
                  rows={rows.slice(0, MAX)}
                  keyOf={({ realm, spi, id }) => `${realm} ${spi}/${id}`}
                />
              )}
              <Pager
                first={first}
                max={MAX}
                count={Math.min(rows.length, MAX)}
                hasMore={rows.length > MAX}
                onFirst={(to) => set({ first: to })}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}
