import type { Client } from '../../api/clients.ts';

export const CLIENT_KINDS = ['confidential', 'public', 'bearer'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

/** The client's type of authentication in one word. */
export function kindOf({ bearerOnly, publicClient }: Pick<Client, 'bearerOnly' | 'publicClient'>): ClientKind {
  if (bearerOnly) return 'bearer';
  return publicClient ? 'public' : 'confidential';
}
