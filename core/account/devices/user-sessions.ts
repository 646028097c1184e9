import type { Client } from '../../model/client.js';
import { notBeforeOf } from '../../model/not-before.js';
import type { Device } from '../../sessions/device-note.js';
import { readDevice } from '../../sessions/device-note.js';
import { IMPERSONATOR_CLIENT, sessionExpiry } from '../../sessions/lifespans.js';
import type { UserSessionRecord } from '../../store/store.js';
import { type Account, type AccountParts, emitAccountEvent } from '../account.js';

/** A session of the user, with its clients. */
export interface OwnSession {
  readonly record: UserSessionRecord;
  readonly device: Device;
  readonly clients: readonly Client[];
  readonly current: boolean;
  /** The client that started it in the user's name, for example after a mailed link. */
  readonly begunBy: Client | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** No user has as many. */
const MOST = 1000;

/** The user's active sessions: the caller's own first, then the most recently used. */
export async function ownSessions(
  { store, clock }: AccountParts,
  { exchange: { realm }, user, session }: Account,
  filter: { readonly offline?: boolean } = {},
): Promise<OwnSession[]> {
  const now = clock.now();
  const listed = await store.sessions.list(realm.name, { userId: user.id, aliveAt: now, max: MOST, ...filter });
  const notBefore = notBeforeOf(realm, user);
  const alive = listed.filter(
    (record) => sessionExpiry(realm, record) > now && Math.floor(record.startedAt / 1000) >= notBefore,
  );
  const sessions = await Promise.all(
    alive.map(async (record): Promise<OwnSession> => {
      const parts = await store.sessions.clientSessions(record);
      return {
        record,
        device: readDevice(record.notes),
        clients: parts.flatMap(({ clientUuid }) => realm.clientsById.get(clientUuid) ?? []),
        begunBy: realm.clients.get(record.notes[IMPERSONATOR_CLIENT] ?? ''),
        current: record.id === session?.id && record.offline === session.offline,
        expiresAt: sessionExpiry(realm, record),
      };
    }),
  );
  return sessions.sort((a, b) => Number(b.current) - Number(a.current) || b.record.lastRefresh - a.record.lastRefresh);
}

/** Ends all sessions that a client started in the user's name. */
export async function endSessionsOfLinks(parts: AccountParts, account: Account, clientId: string): Promise<void> {
  const sessions = await ownSessions(parts, account, { offline: false });
  for (const { record, begunBy } of sessions) {
    if (begunBy?.clientId === clientId) await endOwnSession(parts, account, { id: record.id, offline: false });
  }
}

/** Ends one session of the user. False if the user has no such session. */
export async function endOwnSession(
  parts: AccountParts,
  account: Account,
  { id, offline }: { readonly id: string; readonly offline: boolean },
): Promise<boolean> {
  const { exchange, user } = account;
  const session = await parts.store.sessions.get({ realm: exchange.realm.name, id, offline });
  if (session === undefined || session.userId !== user.id) return false;
  await parts.ending.end(exchange.realm, session);
  emitAccountEvent(parts, account, 'LOGOUT', {}, session.id);
  return true;
}

/**
 * Ends the user's sessions, including offline ones, so that no access remains. In Keycloak, offline sessions remain.
 * @param options.current also end the caller's own
 */
export async function endOwnSessions(
  parts: AccountParts,
  account: Account,
  options: { readonly current: boolean },
): Promise<void> {
  const { exchange, user, session } = account;
  const own = options.current ? undefined : session?.id;
  const sessions = await ownSessions(parts, account);
  await parts.ending.endAll(exchange.realm, { userId: user.id, except: own });
  for (const { record } of sessions) if (record.id !== own) emitAccountEvent(parts, account, 'LOGOUT', {}, record.id);
}
