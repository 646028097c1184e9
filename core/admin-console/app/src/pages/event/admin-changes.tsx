import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type AdminEvent, eventsOf } from '../../api/events.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { type ChangedValue, type Changes, changesOf } from './changed-values.ts';
import { texts } from './texts.ts';

/** The maximum number of earlier events that are read, in one request. */
const MAX_EARLIER = 50;

/** The values that an admin changed, before and after, as far as this and earlier events contain them. */
export function AdminChanges({ realm, event }: { realm: string; event: AdminEvent }) {
  const strings = useTexts(texts);
  const { resourcePath, resourceType, representation, time } = event;
  // The realm itself has an empty path, which is no filter.
  const resource = resourcePath === '' ? { resourceTypes: resourceType } : { resourcePath };
  const query = useQuery({
    ...eventsOf(realm, 'admin', { ...resource, dateTo: time, max: MAX_EARLIER }),
    enabled: representation !== undefined,
  });
  return (
    <section>
      <h2>{strings.changes}</h2>
      {representation === undefined ? (
        <div className="nothing">
          <p>{strings.noSent}</p>
          <Link href={`/realms/${encodeSegment(realm)}/settings/events`}>{strings.eventSettings}</Link>
        </div>
      ) : (
        <QueryResult query={query}>
          {(earlier) => <ChangeTables changes={changesOf(event, earlier)} isNew={event.operationType === 'CREATE'} />}
        </QueryResult>
      )}
    </section>
  );
}

function ChangeTables({ changes: { changed, unknown, unchanged }, isNew }: { changes: Changes; isNew: boolean }) {
  const strings = useTexts(texts);
  return (
    <>
      {changed.length === 0 && unknown.length === 0 && <p className="nothing">{strings.noChanges}</p>}
      {changed.length > 0 && <ValueTable caption={strings.changes} rows={changed} hasBefore={!isNew} />}
      {unchanged > 0 && <p className="help list-help">{strings.unchanged(unchanged)}</p>}
      {unknown.length > 0 && (
        <details className="below" open={changed.length === 0}>
          <summary>{strings.unknown(unknown.length)}</summary>
          <p className="help">{strings.unknownLead}</p>
          <ValueTable caption={strings.sent} rows={unknown} hasBefore={false} />
        </details>
      )}
    </>
  );
}

function ValueTable({
  caption,
  rows,
  hasBefore,
}: {
  caption: string;
  rows: readonly ChangedValue[];
  hasBefore: boolean;
}) {
  const strings = useTexts(texts);
  const { none } = useMessages();
  const columns: readonly Column<ChangedValue>[] = [
    { title: strings.value, show: ({ place }) => <code>{place || none}</code> },
    ...(hasBefore ? [{ title: strings.before, show: ({ before }: ChangedValue) => before ?? none }] : []),
    {
      title: strings.after,
      show: ({ after, isMasked }) => (isMasked ? strings.secret : (after ?? none)),
    },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ place }) => place} isFocusable />;
}
