import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { type AdminEvent, oneEvent } from '../../api/events.ts';
import { useClientNames } from '../../api/names.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { AdminEventRows } from '../events/admin-event-rows.tsx';
import { parsed } from '../events/sentences/admin-names.ts';
import { useAdminNames } from '../events/use-admin-names.ts';
import { useAdminSentences } from '../events/use-sentences.ts';
import { AdminChanges } from './admin-changes.tsx';
import { RawEvent } from './raw-event.tsx';
import { RelatedEventList } from './related.tsx';
import { texts } from './texts.ts';

/** The start of an event's path if it names an object that has a page. */
const OBJECT_PATH = /^(users|clients)\/([^/]+)/;

/** One event of an admin, with what was sent and related events. */
export default function AdminEventPage({ realm, id }: { realm: string; id: string }) {
  const strings = useTexts(texts);
  const query = useQuery(oneEvent(realm, 'admin', id));
  const { data } = query;
  const sentenceOf = useAdminSentences(realm, data === undefined ? [] : [data]);
  return (
    <Page title={data === undefined ? id : sentenceOf(data)} lead={strings.lead(realm)}>
      <QueryResult query={query}>
        {(event) => (
          <>
            <EventFacts realm={realm} event={event} />
            <AdminChanges realm={realm} event={event} />
            <RelatedEvents realm={realm} event={event} />
            <RawEvent event={withParsedRepresentation(event)} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function EventFacts({ realm, event }: { realm: string; event: AdminEvent }) {
  const strings = useTexts(texts);
  const { id, time, operationType, resourceType, resourcePath, authDetails, error } = event;
  const { userId, clientId, ipAddress } = authDetails;
  const admin = useAdminNames(realm, [userId])(userId);
  const client = useClientNames(admin?.realm ?? realm, [clientId]).get(clientId);
  const target = OBJECT_PATH.exec(resourcePath)?.[0];
  return (
    <Facts
      facts={[
        [strings.time, <Time key="time" at={time} />],
        ...(error === undefined
          ? []
          : [
              [
                strings.error,
                <Badge key="error" tone="bad">
                  {error}
                </Badge>,
              ] as const,
            ]),
        [strings.operation, operationType],
        [strings.resource, resourceType],
        [
          strings.path,
          target === undefined ? (
            <code key="path">{resourcePath}</code>
          ) : (
            <Link key="path" href={`/realms/${encodeSegment(realm)}/${target}`}>
              <code>{resourcePath}</code>
            </Link>
          ),
        ],
        [
          strings.admin,
          admin === undefined ? (
            <code key="admin">{userId}</code>
          ) : (
            <Link key="admin" href={`/realms/${encodeSegment(admin.realm)}/users/${encodeSegment(userId)}`}>
              {admin.realm === realm ? admin.name : `${admin.name} (${admin.realm})`}
            </Link>
          ),
        ],
        [strings.client, client ?? <code key="client">{clientId}</code>],
        [strings.address, ipAddress],
        [strings.id, <code key="id">{id}</code>],
      ]}
    />
  );
}

function RelatedEvents({ realm, event }: { realm: string; event: AdminEvent }) {
  const strings = useTexts(texts);
  const { id, resourcePath, authDetails } = event;
  const shared = {
    realm,
    kind: 'admin' as const,
    id,
    path: `/realms/${encodeSegment(realm)}/events/admin`,
    Rows: AdminEventRows,
  };
  const target = OBJECT_PATH.exec(resourcePath)?.[0];
  const resource = target === undefined ? resourcePath : `${target}*`;
  return (
    <>
      {resource !== '' && <RelatedEventList {...shared} title={strings.samePath} filter={{ resourcePath: resource }} />}
      <RelatedEventList {...shared} title={strings.sameAdmin} filter={{ authUser: authDetails.userId }} />
    </>
  );
}

/** The representation is JSON as text: it is shown as a part of the event. */
function withParsedRepresentation(event: AdminEvent): object {
  const { representation } = event;
  return representation === undefined ? event : { ...event, representation: parsed(representation) ?? representation };
}
