import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { UserSessionRecord } from '../../store/store.js';
import type { AdminCall } from '../operation.js';

/** Ends sessions and notifies their applications. */
export interface SessionEnder {
  end(realm: Realm, session: UserSessionRecord): Promise<unknown>;
  /** Ends every session of the realm, or of one user, except the one with the ID `except`. */
  endAll(realm: Realm, options?: { userId?: string; except?: string }): Promise<void>;
  /** Ends a client's part in a user's sessions. Returns false if there was none. */
  endOfClient(realm: Realm, userId: string, client: Client): Promise<boolean>;
}

/**
 * Ends a user's sessions after a password change, since someone who knew the old password may have them. The caller's
 * own session stays. Stricter than Keycloak, which does not end sessions.
 */
export function endOtherSessions(sessionEnder: SessionEnder, { realm, admin }: AdminCall, { id }: User): Promise<void> {
  const own = admin.realm.name === realm.name && admin.userId === id ? admin.sessionId : undefined;
  return sessionEnder.endAll(realm, defined({ userId: id, except: own }));
}
