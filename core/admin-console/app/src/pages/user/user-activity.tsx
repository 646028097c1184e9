import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { eventsOf } from '../../api/events.ts';
import { useRights } from '../../api/rights.ts';
import { useTexts } from '../../messages/language.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Pager } from '../../parts/pager.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { AdminEventRows } from '../events/admin-event-rows.tsx';
import { EventsNotStored } from '../events/events-not-stored.tsx';
import { StoryLink } from '../events/story-link.tsx';
import { UserEventRows } from '../events/user-event-rows.tsx';
import { texts as activityTexts } from './activity-texts.ts';
import type { UserSectionProps } from './user-frame.tsx';

const PAGE_SIZE = 20;
const MAX_CHANGES = 5;

/** Events of the user, and changes by administrators, if the signed-in user may see events. */
export function UserActivity(props: UserSectionProps) {
  const { requires } = useTexts(activityTexts);
  const can = useRights(props.realm);
  if (!can('view-events')) return <p className="notice">{requires}</p>;
  return (
    <>
      <UserEvents {...props} />
      <Changes {...props} />
    </>
  );
}

function UserEvents({ realm, user }: UserSectionProps) {
  const texts = useTexts(activityTexts);
  const { first, set } = useListState();
  const query = useQuery({
    ...eventsOf(realm, 'user', { user: user.id, first, max: PAGE_SIZE + 1 }),
    placeholderData: keepPreviousData,
  });
  return (
    <section>
      <div className="section-head">
        <h2>{texts.events}</h2>
        <StoryLink realm={realm} id={user.id} />
      </div>
      <EventsNotStored realm={realm} kind="user" />
      <QueryResult query={query}>
        {(found) => (
          <>
            {found.length === 0 ? (
              <p className="nothing">{texts.noEvents}</p>
            ) : (
              <UserEventRows realm={realm} caption={texts.events} rows={found.slice(0, PAGE_SIZE)} />
            )}
            <Pager
              first={first}
              max={PAGE_SIZE}
              count={Math.min(found.length, PAGE_SIZE)}
              hasMore={found.length > PAGE_SIZE}
              onFirst={(to) => set({ first: to })}
            />
          </>
        )}
      </QueryResult>
    </section>
  );
}

/** The latest changes of the user by administrators. */
function Changes({ realm, user }: UserSectionProps) {
  const texts = useTexts(activityTexts);
  const resourcePath = `users/${user.id}*`;
  const query = useQuery(eventsOf(realm, 'admin', { resourcePath, max: MAX_CHANGES }));
  return (
    <section>
      <div className="section-head">
        <h2>{texts.changes}</h2>
        <Link href={`/realms/${encodeSegment(realm)}/events/admin?${new URLSearchParams({ resourcePath })}`}>
          {texts.all}
        </Link>
      </div>
      <QueryResult query={query}>
        {(found) =>
          found.length === 0 ? (
            <p className="nothing">{texts.noChanges}</p>
          ) : (
            <AdminEventRows realm={realm} caption={texts.changes} rows={found} />
          )
        }
      </QueryResult>
    </section>
  );
}
