import { randomUUID } from 'node:crypto';
import { duplicate } from './admin.js';

/**
 * The ID that a request contains for a new resource, or else a new one.
 * @throws AdminError 409 if another resource of this type has it
 */
export function statedId(stated: string | null | undefined, others: readonly { readonly id: string }[]): string {
  if (stated == null || stated === '') return randomUUID();
  if (others.some(({ id }) => id === stated)) throw duplicate();
  return stated;
}
