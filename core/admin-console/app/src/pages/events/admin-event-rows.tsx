import { encodeSegment } from '../../address.ts';
import type { AdminEvent } from '../../api/events.ts';
import { useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { adminEventCode, EventLink } from './event-link.tsx';
import type { EventRowsProps } from './event-table.tsx';
import { texts } from './texts.ts';
import { useAdminSentences } from './use-sentences.ts';

/** Changes by admins as sentences. */
export function AdminEventRows({ realm, rows, caption }: EventRowsProps<AdminEvent>) {
  const strings = useTexts(texts);
  const sentenceOf = useAdminSentences(realm, rows);
  const columns: readonly Column<AdminEvent>[] = [
    {
      title: strings.event,
      show: (event) => (
        <EventLink
          href={`/realms/${encodeSegment(realm)}/events/admin/${encodeSegment(event.id)}`}
          sentence={sentenceOf(event)}
          code={adminEventCode(event)}
          path={event.resourcePath}
          isFailure={event.error !== undefined}
        />
      ),
    },
    { title: strings.time, show: ({ time }) => <Time at={time} /> },
    { title: strings.address, isMinor: true, show: ({ authDetails }) => authDetails.ipAddress },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
