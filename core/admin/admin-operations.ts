import { type EventConfigOperationParts, eventConfigOperations } from './events/event-config-operations.js';
import { type EventOperationParts, eventOperations } from './events/event-operations.js';
import type { AdminOperation } from './operation.js';
import { type ProviderOperationParts, providerOperations } from './providers/provider-operations.js';
import { type RealmOperationParts, realmOperations } from './realms/realm-operations.js';

export type AdminParts = RealmOperationParts & ProviderOperationParts & EventOperationParts & EventConfigOperationParts;

/** Everything that the Admin REST API can do. */
export function adminOperations(parts: AdminParts): AdminOperation[] {
  return [
    ...realmOperations(parts),
    ...providerOperations(parts),
    ...eventOperations(parts),
    ...eventConfigOperations(parts),
  ];
}
