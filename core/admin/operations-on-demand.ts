import type { AdminParts } from './admin-operations.js';
import type { AdminOperation } from './operation.js';

/** The operations, loaded when the first request comes: most hosts are asked for tokens long before, or only. */
export function operationsOnDemand(parts: AdminParts): () => Promise<readonly AdminOperation[]> {
  return async () => (await import('./admin-operations.js')).adminOperations(parts);
}
