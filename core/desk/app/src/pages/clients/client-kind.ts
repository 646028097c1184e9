import type { Client } from '../../api/clients.ts';

export const CLIENT_KINDS = ['confidential', 'public', 'bearer'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** How a client proves itself, in one word. */
export function kindOf({ bearerOnly, publicClient }: Pick<Client, 'bearerOnly' | 'publicClient'>): ClientKind {
  if (bearerOnly) return 'bearer';
  return publicClient ? 'public' : 'confidential';
}
