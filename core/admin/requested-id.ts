import { randomUUID } from 'node:crypto';
import { duplicateResourceError } from './admin.js';

/**
 * Returns the ID that a request contains for a new resource, or else a random one.
 * @throws AdminError 409 if another resource of this type has the ID
 */
export function requestedId(
  requested: string | null | undefined,
  existingResources: readonly { readonly id: string }[],
): string {
  if (requested == null || requested === '') return randomUUID();
  if (existingResources.some(({ id }) => id === requested)) throw duplicateResourceError();
  return requested;
}
