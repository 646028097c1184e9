import type { Realm } from '../model/realm.js';
import type { UserSessionRecord } from '../store/store.js';
import { sessionExpiry } from './lifespans.js';
import { newSessionId } from './session-id.js';

/** The initial data of a user session. */
interface Beginning {
  readonly userId: string;
  readonly ipAddress: string;
  readonly authMethod: string;
  readonly notes: Readonly<Record<string, string>>;
  readonly offline?: boolean;
  readonly rememberMe?: boolean;
}

/** A new user session for a user who signs in now, not yet stored. @param now milliseconds since the epoch */
export function newUserSession(realm: Realm, beginning: Beginning, now: number): UserSessionRecord {
  const session = { offline: false, rememberMe: false, ...beginning, startedAt: now, lastRefresh: now };
  return {
    ...session,
    realm: realm.name,
    id: newSessionId(now),
    expiresAt: sessionExpiry(realm, session),
    authTime: Math.floor(now / 1000),
  };
}
