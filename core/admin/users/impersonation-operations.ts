import type { Exchange } from '../../http/exchange.js';
import type { User } from '../../model/user.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { badRequest } from '../admin.js';
import { type AdminOperation, ok, requireExchange } from '../operation.js';
import type { SessionEnder } from '../sessions/session-ender.js';
import { requireRightsOfUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

export interface ImpersonationOperationParts {
  readonly users: Users;
  readonly store: Store;
  readonly sessionEnder: SessionEnder;
  readonly impersonation: {
    /** Starts a session of the user in the caller's browser. */
    start(exchange: Exchange, user: User, impersonator: { realmName: string; user: User }): Promise<void>;
  };
}

/** The operation that signs the caller's browser in as another user (Keycloak's `impersonation`). */
export function impersonationOperations(parts: ImpersonationOperationParts): AdminOperation[] {
  const { users, store, sessionEnder, impersonation } = parts;
  return [
    {
      method: 'POST',
      path: '/users/{userId}/impersonation',
      tag: USERS_TAG,
      summary: 'Sign in as a user: the answer sets the cookie; not as one with rights that the caller does not have',
      roles: ['impersonation'],
      notForPlugins: true,
      answers: { status: 200, body: { type: 'object' } },
      event: { resourceType: 'USER', operation: 'ACTION' },
      async handle(call) {
        const { realm, admin } = call;
        const user = await requireUser(users, call);
        requireRightsOfUser(admin, realm, user);
        if (realm.adminUrl !== realm.baseUrl)
          throw badRequest('Impersonation requires the public address: this request uses --hostname-admin');
        if (!user.enabled) throw badRequest('User is disabled');
        if (user.isServiceAccount) throw badRequest('Service accounts cannot be impersonated');
        const sameRealm = admin.realm.name === realm.name && admin.sessionId !== undefined;
        if (sameRealm && admin.sessionId !== undefined) {
          // A browser can have only one login per realm, so the admin's own is ended.
          const adminSession = await store.sessions.get({ realm: realm.name, id: admin.sessionId, offline: false });
          if (adminSession !== undefined) await sessionEnder.end(realm, adminSession);
        }
        await impersonation.start(requireExchange(call), user, {
          realmName: admin.realm.name,
          user: admin.tokenAdmin.user,
        });
        return ok({ sameRealm, redirect: `${realm.issuer}/account` });
      },
    },
  ];
}
