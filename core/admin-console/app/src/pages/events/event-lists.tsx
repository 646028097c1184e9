import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { EventKind } from '../../api/events.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { AdminEventList } from './admin-event-list.tsx';
import { EventsNotStored } from './events-not-stored.tsx';
import { texts } from './texts.ts';
import { UserEventList } from './user-event-list.tsx';

/** The two lists of a realm's events, one at a time. */
export function EventLists({ realm, kind }: { realm: string; kind: EventKind }) {
  const strings = useTexts(texts);
  const basePath = `/realms/${encodeSegment(realm)}/events`;
  return (
    <Page title={strings.title(realm)} lead={strings.lead}>
      <nav className="tabs" aria-label={strings.tabs}>
        {(['user', 'admin'] as const).map((one) => (
          <Link
            key={one}
            href={one === 'user' ? basePath : `${basePath}/admin`}
            aria-current={one === kind ? 'page' : undefined}
          >
            {strings.kinds[one]}
          </Link>
        ))}
      </nav>
      <EventsNotStored realm={realm} kind={kind} />
      {kind === 'user' ? <UserEventList realm={realm} /> : <AdminEventList realm={realm} />}
    </Page>
  );
}
