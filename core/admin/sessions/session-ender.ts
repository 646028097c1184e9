import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { UserSessionRecord } from '../../store/store.js';
import type { AdminCall } from '../operation.js';

/** Ends sessions and notifies their applications. */
export interface SessionEnder {
  end(realm: Realm, session: UserSessionRecord): Promise<unknown>;
  /** Ends all sessions of the realm, or of one user, except the one with the ID `except`. */
  endAll(realm: Realm, options?: { userId?: string; except?: string }): Promise<void>;
  /** Ends a client's sessions of a user, without ending the user's sessions. Returns false if there were none. */
  removeClient(realm: Realm, userId: string, client: Client): Promise<boolean>;
}

/**
 * Ends a user's sessions after a password change, since someone who knew the old password may have started them. The
 * caller's own session is not ended. Stricter than Keycloak, which does not end sessions.
 */
export function endOtherSessions(sessionEnder: SessionEnder, { realm, admin }: AdminCall, { id }: User): Promise<void> {
  const ownSessionId = admin.realm.name === realm.name && admin.userId === id ? admin.sessionId : undefined;
  return sessionEnder.endAll(realm, defined({ userId: id, except: ownSessionId }));
}
