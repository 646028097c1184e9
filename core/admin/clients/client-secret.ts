import { SECRET, withoutRotated } from '../../model/client-secrets.js';
import { randomToken } from '../../model/random-token.js';
import type { ClientRepresentation } from '../../model/representation.js';

/** True for a client that has a secret: neither public nor bearer-only. */
export function isConfidential({ publicClient, bearerOnly }: ClientRepresentation): boolean {
  return publicClient !== true && bearerOnly !== true;
}

/** Gives a client a new secret of 192 random bits, and no other: neither an end nor the one before. @param now milliseconds since the epoch */
export function renewSecret(client: ClientRepresentation, now: number): string {
  const secret = randomToken(24);
  client.secret = secret;
  const { [SECRET.expiresAt]: _, ...attributes } = withoutRotated(client.attributes);
  client.attributes = { ...attributes, [SECRET.createdAt]: String(Math.floor(now / 1000)) };
  return secret;
}
