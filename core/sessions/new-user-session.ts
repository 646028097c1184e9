import type { Realm } from '../model/realm.js';
import type { UserSessionRecord } from '../store/store.js';
import { sessionExpiry } from './lifespans.js';
import { newSessionId } from './session-id.js';

/** The initial data of a user session. */
interface SessionStart {
  readonly userId: string;
  readonly ipAddress: string;
  readonly authMethod: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly offline?: boolean;
  readonly rememberMe?: boolean;
}

/**
 * Creates the record of a session for a user who signs in now. The caller must store it.
 * @param now milliseconds since the epoch
 */
export function newUserSession(realm: Realm, start: SessionStart, now: number): UserSessionRecord {
  const session = { offline: false, rememberMe: false, ...start, startedAt: now, lastRefresh: now };
  return {
    ...session,
    realm: realm.name,
    id: newSessionId(now),
    expiresAt: sessionExpiry(realm, session),
    authTime: Math.floor(now / 1000),
  };
}
