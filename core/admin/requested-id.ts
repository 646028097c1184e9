import { randomUUID } from 'node:crypto';
import { duplicateResource } from './admin.js';

/**
 * The ID that a request contains for a new resource, or else a new one.
 * @throws AdminError 409 if another resource of this type has it
 */
export function requestedId(requested: string | null | undefined, others: readonly { readonly id: string }[]): string {
  if (requested == null || requested === '') return randomUUID();
  if (others.some(({ id }) => id === requested)) throw duplicateResource();
  return requested;
}
