import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { UserEvent } from '../../api/events.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { EventLink, userEventCode, userEventsPath } from './event-link.tsx';
import type { EventRowsProps } from './event-table.tsx';
import { texts } from './texts.ts';
import { useUserSentences } from './use-sentences.ts';

/** Events of users and clients as sentences. The user's column leads to all events of the user. */
export function UserEventRows({ realm, rows, caption }: EventRowsProps<UserEvent>) {
  const strings = useTexts(texts);
  const { none } = useMessages();
  const { sentenceOf, userOf } = useUserSentences(realm, rows);
  const columns: readonly Column<UserEvent>[] = [
    {
      title: strings.event,
      show: (event) => (
        <EventLink
          href={`/realms/${encodeSegment(realm)}/events/${encodeSegment(event.id)}`}
          sentence={sentenceOf(event)}
          code={userEventCode(event)}
          isFailure={event.error !== undefined}
        />
      ),
    },
    { title: strings.time, show: ({ time }) => <Time at={time} /> },
    {
      title: strings.user,
      isMinor: true,
      show: (event) =>
        event.userId === undefined ? (
          (userOf(event) ?? none)
        ) : (
          <Link href={userEventsPath(realm, event.userId)} aria-label={strings.allOf(userOf(event) ?? '')}>
            {userOf(event)}
          </Link>
        ),
    },
    { title: strings.address, isMinor: true, show: ({ ipAddress }) => ipAddress ?? none },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />;
}
