import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { segment } from '../../address.ts';
import { clientByName, oneEvent, type UserEvent } from '../../api/events.ts';
import { useUserNames } from '../../api/names.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { UserEventRows } from '../events/user-event-rows.tsx';
import { Related } from './related.tsx';
import { texts } from './texts.ts';

/** One event of a user or a client, with related data. */
export default function EventPage({ realm, id }: { realm: string; id: string }) {
  const told = useTexts(texts);
  const query = useQuery(oneEvent(realm, 'user', id));
  return (
    <Page title={query.data?.type ?? id} lead={told.lead(realm)}>
      <QueryResult query={query}>
        {(event) => (
          <>
            <EventFacts realm={realm} event={event} />
            <Details event={event} />
            <Others realm={realm} event={event} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function EventFacts({ realm, event }: { realm: string; event: UserEvent }) {
  const told = useTexts(texts);
  const { id, time, userId, clientId, sessionId, ipAddress, error, details } = event;
  const name = useUserNames(realm, [userId]).get(userId ?? '') ?? details?.username ?? userId;
  const { data: client } = useQuery({ ...clientByName(realm, clientId ?? ''), enabled: clientId !== undefined });
  const at = `/realms/${segment(realm)}`;
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
        ...(userId === undefined
          ? []
          : [
              [
                told.user,
                <Link key="user" href={`${at}/users/${segment(userId)}`}>
                  {name}
                </Link>,
              ] as const,
            ]),
        ...(clientId === undefined
          ? []
          : [
              [
                told.client,
                typeof client === 'string' ? (
                  <Link key="client" href={`${at}/clients/${segment(client)}`}>
                    {clientId}
                  </Link>
                ) : (
                  clientId
                ),
              ] as const,
            ]),
        ...(sessionId === undefined ? [] : [[told.session, <code key="session">{sessionId}</code>] as const]),
        ...(ipAddress === undefined ? [] : [[told.address, ipAddress] as const]),
        [told.id, <code key="id">{id}</code>],
      ]}
    />
  );
}

function Details({ event: { details = {} } }: { event: UserEvent }) {
  const told = useTexts(texts);
  const all = Object.entries(details);
  return (
    <section>
      <h2>{told.details}</h2>
      {all.length === 0 ? (
        <p className="nothing">{told.noDetails}</p>
      ) : (
        <dl className="details">
          {all.map(([name, value]) => (
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

function Others({ realm, event: { id, userId, sessionId, details } }: { realm: string; event: UserEvent }) {
  const told = useTexts(texts);
  const token = details?.token_id;
  const user: Readonly<Record<string, string>> = userId === undefined ? {} : { user: userId };
  const shared = {
    realm,
    kind: 'user' as const,
    id,
    path: `/realms/${segment(realm)}/events`,
    Rows: UserEventRows,
  };
  return (
    <>
      {sessionId !== undefined && (
        <Related {...shared} title={told.sameSession} filter={{ session: sessionId, ...user }} />
      )}
      {token !== undefined && <Related {...shared} title={told.sameToken} filter={{ token, ...user }} />}
      {userId !== undefined && <Related {...shared} title={told.sameUser} filter={user} />}
    </>
  );
}
