import type { Client } from '../../model/client.js';
import { notBeforeOf } from '../../model/not-before.js';
import type { Device } from '../../sessions/device-note.js';
import { readDevice } from '../../sessions/device-note.js';
import { IMPERSONATOR_CLIENT, sessionExpiry } from '../../sessions/lifespans.js';
import type { UserSessionRecord } from '../../store/store.js';
import { type AccountContext, type AccountParts, emitAccountEvent } from '../account.js';

/** A session of the user, with its clients. */
export interface AccountUserSession {
  readonly record: UserSessionRecord;
  readonly device: Device;
  readonly clients: readonly Client[];
  readonly current: boolean;
  /** The client that started it in the user's name, for example after a mailed link. */
  readonly startedBy: Client | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Maximum number of listed sessions; more than any user has. */
const MAX_SESSIONS = 1000;

/** Lists the user's active sessions: the current one first, then the most recently used. */
export async function listSessions(
  { store, clock }: AccountParts,
  { exchange: { realm }, user, session }: AccountContext,
  filter: { readonly offline?: boolean } = {},
): Promise<AccountUserSession[]> {
  const now = clock.now();
  const records = await store.sessions.list(realm.name, {
    userId: user.id,
    aliveAt: now,
    max: MAX_SESSIONS,
    ...filter,
  });
  const notBefore = notBeforeOf(realm, user);
  const valid = records.filter(
    (record) => sessionExpiry(realm, record) > now && Math.floor(record.startedAt / 1000) >= notBefore,
  );
  const sessions = await Promise.all(
    valid.map(async (record): Promise<AccountUserSession> => {
      const clientSessions = await store.sessions.clientSessions(record);
      return {
        record,
        device: readDevice(record.notes),
        clients: clientSessions.flatMap(({ clientUuid }) => realm.clientsById.get(clientUuid) ?? []),
        startedBy: realm.clients.get(record.notes[IMPERSONATOR_CLIENT] ?? ''),
        current: record.id === session?.id && record.offline === session.offline,
        expiresAt: sessionExpiry(realm, record),
      };
    }),
  );
  return sessions.sort((a, b) => Number(b.current) - Number(a.current) || b.record.lastRefresh - a.record.lastRefresh);
}

/** Ends all sessions that a client started in the user's name. */
export async function endSessionsStartedBy(
  parts: AccountParts,
  account: AccountContext,
  clientId: string,
): Promise<void> {
  const sessions = await listSessions(parts, account, { offline: false });
  for (const { record, startedBy } of sessions) {
    if (startedBy?.clientId === clientId) await endSession(parts, account, { id: record.id, offline: false });
  }
}

/**
 * Ends one session of the user.
 * @returns false if the user has no session with this ID
 */
export async function endSession(
  parts: AccountParts,
  account: AccountContext,
  { id, offline }: { readonly id: string; readonly offline: boolean },
): Promise<boolean> {
  const { exchange, user } = account;
  const session = await parts.store.sessions.get({ realm: exchange.realm.name, id, offline });
  if (session === undefined || session.userId !== user.id) return false;
  await parts.sessionEnder.end(exchange.realm, session);
  emitAccountEvent(parts, account, 'LOGOUT', {}, session.id);
  return true;
}

/**
 * Ends the user's sessions, including offline ones, so that no access remains. Keycloak does not end offline sessions.
 * @param options.current whether to end the current session too
 */
export async function endSessions(
  parts: AccountParts,
  account: AccountContext,
  options: { readonly current: boolean },
): Promise<void> {
  const { exchange, user, session } = account;
  const currentId = options.current ? undefined : session?.id;
  const sessions = await listSessions(parts, account);
  await parts.sessionEnder.endAll(exchange.realm, { userId: user.id, except: currentId });
  for (const { record } of sessions)
    if (record.id !== currentId) emitAccountEvent(parts, account, 'LOGOUT', {}, record.id);
}
