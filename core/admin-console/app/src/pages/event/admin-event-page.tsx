import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { type AdminEvent, oneEvent } from '../../api/events.ts';
import { useClientNames } from '../../api/names.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { AdminEventRows } from '../events/admin-event-rows.tsx';
import { useAdminNames } from '../events/use-admin-names.ts';
import { Related } from './related.tsx';
import { texts } from './texts.ts';

/** The objects in the path of an event that have a page of their own. */
const PAGES = /^(users|clients)\/([^/]+)/;

/** One event of an admin, with what was sent and related events. */
export default function AdminEventPage({ realm, id }: { realm: string; id: string }) {
  const told = useTexts(texts);
  const query = useQuery(oneEvent(realm, 'admin', id));
  const { data } = query;
  return (
    <Page title={data === undefined ? id : `${data.operationType} ${data.resourceType}`} lead={told.lead(realm)}>
      <QueryResult query={query}>
        {(event) => (
          <>
            <EventFacts realm={realm} event={event} />
            <section>
              <h2>{told.sent}</h2>
              {event.representation === undefined ? (
                <p className="nothing">{told.noSent}</p>
              ) : (
                <pre className="told">{indented(event.representation)}</pre>
              )}
            </section>
            <Others realm={realm} event={event} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function EventFacts({ realm, event }: { realm: string; event: AdminEvent }) {
  const told = useTexts(texts);
  const { id, time, operationType, resourceType, resourcePath, authDetails, error } = event;
  const { userId, clientId, ipAddress } = authDetails;
  const admin = useAdminNames(realm, [userId])(userId);
  const client = useClientNames(admin?.realm ?? realm, [clientId]).get(clientId);
  const target = PAGES.exec(resourcePath)?.[0];
  return (
    <Facts
      facts={[
        [told.time, <Time key="time" at={time} />],
        ...(error === undefined
          ? []
          : [
              [
                told.error,
                <Badge key="error" tone="bad">
                  {error}
                </Badge>,
              ] as const,
            ]),
        [told.operation, operationType],
        [told.resource, resourceType],
        [
          told.path,
          target === undefined ? (
            <code key="path">{resourcePath}</code>
          ) : (
            <Link key="path" href={`/realms/${segment(realm)}/${target}`}>
              <code>{resourcePath}</code>
            </Link>
          ),
        ],
        [
          told.admin,
          admin === undefined ? (
            <code key="admin">{userId}</code>
          ) : (
            <Link key="admin" href={`/realms/${segment(admin.realm)}/users/${segment(userId)}`}>
              {admin.realm === realm ? admin.name : `${admin.name} (${admin.realm})`}
            </Link>
          ),
        ],
        [told.client, client ?? <code key="client">{clientId}</code>],
        [told.address, ipAddress],
        [told.id, <code key="id">{id}</code>],
      ]}
    />
  );
}

function Others({ realm, event }: { realm: string; event: AdminEvent }) {
  const told = useTexts(texts);
  const { id, resourcePath, authDetails } = event;
  const shared = {
    realm,
    kind: 'admin' as const,
    id,
    path: `/realms/${segment(realm)}/events/admin`,
    Rows: AdminEventRows,
  };
  const target = PAGES.exec(resourcePath)?.[0];
  const resource = target === undefined ? resourcePath : `${target}*`;
  return (
    <>
      {resource !== '' && <Related {...shared} title={told.samePath} filter={{ resourcePath: resource }} />}
      <Related {...shared} title={told.sameAdmin} filter={{ authUser: authDetails.userId }} />
    </>
  );
}

function indented(representation: string): string {
  try {
    return JSON.stringify(JSON.parse(representation), null, 2);
  } catch {
    // Imported events of Keycloak may contain other texts.
    return representation;
  }
}
