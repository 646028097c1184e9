import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { clientByName, oneEvent, type UserEvent } from '../../api/events.ts';
import { useUserNames } from '../../api/names.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { userEventsPath } from '../events/event-link.tsx';
import { useUserSentences } from '../events/use-sentences.ts';
import { UserEventRows } from '../events/user-event-rows.tsx';
import { RawEvent } from './raw-event.tsx';
import { RelatedEventList } from './related.tsx';
import { texts } from './texts.ts';

/** One event of a user or a client, with related data. */
export default function EventPage({ realm, id }: { realm: string; id: string }) {
  const strings = useTexts(texts);
  const query = useQuery(oneEvent(realm, 'user', id));
  const { data } = query;
  const { sentenceOf } = useUserSentences(realm, data === undefined ? [] : [data]);
  return (
    <Page title={data === undefined ? id : sentenceOf(data)} lead={strings.lead(realm)}>
      <QueryResult query={query}>
        {(event) => (
          <>
            <EventFacts realm={realm} event={event} />
            <Details event={event} />
            <RelatedEvents realm={realm} event={event} />
            <RawEvent event={event} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function EventFacts({ realm, event }: { realm: string; event: UserEvent }) {
  const strings = useTexts(texts);
  const { id, time, type, userId, clientId, sessionId, ipAddress, error, details } = event;
  const name = useUserNames(realm, [userId]).get(userId ?? '') ?? details?.username ?? userId;
  const { data: client } = useQuery({ ...clientByName(realm, clientId ?? ''), enabled: clientId !== undefined });
  const basePath = `/realms/${encodeSegment(realm)}`;
  return (
    <Facts
      facts={[
        [strings.time, <Time key="time" at={time} />],
        [strings.type, <code key="type">{type}</code>],
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
        ...(userId === undefined
          ? []
          : [
              [
                strings.user,
                <Link key="user" href={`${basePath}/users/${encodeSegment(userId)}`}>
                  {name}
                </Link>,
              ] as const,
            ]),
        ...(clientId === undefined
          ? []
          : [
              [
                strings.client,
                typeof client === 'string' ? (
                  <Link key="client" href={`${basePath}/clients/${encodeSegment(client)}`}>
                    {clientId}
                  </Link>
                ) : (
                  clientId
                ),
              ] as const,
            ]),
        ...(sessionId === undefined ? [] : [[strings.session, <code key="session">{sessionId}</code>] as const]),
        ...(ipAddress === undefined ? [] : [[strings.address, ipAddress] as const]),
        [strings.id, <code key="id">{id}</code>],
      ]}
    />
  );
}

function Details({ event: { details = {} } }: { event: UserEvent }) {
  const strings = useTexts(texts);
  const entries = Object.entries(details);
  return (
    <section>
      <h2>{strings.details}</h2>
      {entries.length === 0 ? (
        <p className="nothing">{strings.noDetails}</p>
      ) : (
        <dl className="details">
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function RelatedEvents({ realm, event: { id, userId, sessionId, details } }: { realm: string; event: UserEvent }) {
  const strings = useTexts(texts);
  const token = details?.token_id;
  const user: Readonly<Record<string, string>> = userId === undefined ? {} : { user: userId };
  const shared = {
    realm,
    kind: 'user' as const,
    id,
    path: `/realms/${encodeSegment(realm)}/events`,
    Rows: UserEventRows,
  };
  return (
    <>
      {sessionId !== undefined && (
        <RelatedEventList {...shared} title={strings.sameSession} filter={{ session: sessionId, ...user }} />
      )}
      {token !== undefined && <RelatedEventList {...shared} title={strings.sameToken} filter={{ token, ...user }} />}
      {userId !== undefined && (
        <RelatedEventList {...shared} title={strings.sameUser} filter={user} path={userEventsPath(realm, userId)} />
      )}
    </>
  );
}
