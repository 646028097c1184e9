import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { UserSessionRecord } from '../../store/store.js';
import type { AdminCall } from '../operation.js';

/** Ends sessions and tells the applications that took part. */
export interface SessionEnder {
  end(realm: Realm, session: UserSessionRecord): Promise<unknown>;
  /** Every session of the realm, or of one user, but the one with the id `except`. */
  endAll(realm: Realm, options?: { userId?: string; except?: string }): Promise<void>;
  /** A client's part in a user's sessions; false when there was none. */
  endOfClient(realm: Realm, userId: string, client: Client): Promise<boolean>;
}

/**
 * After a new password: whoever knew the old one is out. The caller's own session stays. Stricter than Keycloak, which
 * leaves the sessions alone.
 */
export function endOtherSessions(ending: SessionEnder, { realm, admin }: AdminCall, { id }: User): Promise<void> {
  const own = admin.realm.name === realm.name && admin.userId === id ? admin.sessionId : undefined;
  return ending.endAll(realm, defined({ userId: id, except: own }));
}
