import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { UserEvent } from '../../api/events.ts';
import { useUserNames } from '../../api/names.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import type { EventRowsProps } from './event-table.tsx';
import { texts } from './texts.ts';

/** The type links to the event. Users are shown by name; all names are requested together. */
export function UserEventRows({ realm, rows, caption }: EventRowsProps<UserEvent>) {
  const strings = useTexts(texts);
  const { none } = useMessages();
  const names = useUserNames(
    realm,
    rows.map(({ userId }) => userId),
  );
  const columns: readonly Column<UserEvent>[] = [
    {
      title: strings.type,
      show: ({ id, type, error }) => (
        <>
          <Link href={`/realms/${encodeSegment(realm)}/events/${encodeSegment(id)}`} className={error && 'event-bad'}>
            {type}
          </Link>
          {error !== undefined && (
            <>
              <br />
              <small>{error}</small>
            </>
          )}
        </>
      ),
    },
    { title: strings.time, show: ({ time }) => <Time at={time} /> },
    {
      title: strings.user,
      show: ({ userId, details }) => names.get(userId ?? '') ?? details?.username ?? userId ?? none,
    },
    { title: strings.client, isMinor: true, show: ({ clientId }) => clientId ?? none },
    { title: strings.address, isMinor: true, show: ({ ipAddress }) => ipAddress ?? none },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
