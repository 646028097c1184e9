import type { AdminOperation } from './operation.js';
import { type ProviderOperationParts, providerOperations } from './providers/provider-operations.js';
import { type RealmOperationParts, realmOperations } from './realms/realm-operations.js';

export type AdminParts = RealmOperationParts & ProviderOperationParts;

/** Everything that the Admin REST API can do. */
export function adminOperations(parts: AdminParts): AdminOperation[] {
  return [...realmOperations(parts), ...providerOperations(parts)];
}
