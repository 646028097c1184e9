import type { ProtocolMapperRepresentation, RealmRepresentation } from '../model/representation.js';
import type { Users } from '../users/users.js';
import { requireScope } from './client-scopes/find-scope.js';
import { requireManagedClient } from './clients/client-rights.js';
import { requireClient } from './clients/find-client.js';
import type { AdminCall } from './operation.js';

/** How operations find a client or a client scope. Both have protocol mappers and scope mappings. */
export interface ScopeOwnerEndpoint {
  readonly path: string;
  readonly tag: string;
  /** @throws AdminError 404 */
  find(call: AdminCall, realm: RealmRepresentation): ScopeOwner;
  /** Checks that the caller may manage it. @throws AdminError 403, 404 */
  requireManaged(users: Users, call: AdminCall): Promise<void>;
}

/** The members that clients and client scopes share. */
export interface ScopeOwner {
  readonly kind: 'client' | 'clientScope';
  /** The client ID, or the name of the client scope. */
  readonly name: string;
  /** True if its tokens may contain every role. */
  readonly hasFullScope: boolean;
  readonly representation: { protocolMappers?: ProtocolMapperRepresentation[] };
}

export const SCOPE_OWNERS: readonly ScopeOwnerEndpoint[] = [
  {
    path: '/clients/{clientUuid}',
    tag: 'Clients',
    find({ params }, realm) {
      const client = requireClient(realm, params.clientUuid);
      return {
        kind: 'client',
        name: client.clientId,
        hasFullScope: client.fullScopeAllowed !== false,
        representation: client,
      };
    },
    requireManaged: async (users, call) => void (await requireManagedClient(users, call)),
  },
  {
    path: '/client-scopes/{clientScopeId}',
    tag: 'Client Scopes',
    find({ params }, realm) {
      const scope = requireScope(realm, params.clientScopeId);
      return { kind: 'clientScope', name: scope.name, hasFullScope: false, representation: scope };
    },
    // The operation itself requires manage-clients, which suffices.
    requireManaged: async () => {},
  },
];
