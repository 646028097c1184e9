import { randomUUID } from 'node:crypto';
import { duplicate } from './admin.js';

/**
 * The id that whoever makes a thing states for it; tools address the thing by it from then on. Without one, a new id.
 * @throws AdminError 409 where another thing of the kind has it
 */
export function statedId(stated: string | null | undefined, others: readonly { readonly id: string }[]): string {
  if (stated == null || stated === '') return randomUUID();
  if (others.some(({ id }) => id === stated)) throw duplicate();
  return stated;
}
