import { newSecret, SECRET, withoutRotated } from '../../model/client-secrets.js';
import type { ClientRepresentation } from '../../model/representation.js';

/** Gives a client a new secret, and no other: neither an end nor the one before. @param now milliseconds since the epoch */
export function renewSecret(client: ClientRepresentation, now: number): string {
  const secret = newSecret();
  client.secret = secret;
  const { [SECRET.expiresAt]: _, ...attributes } = withoutRotated(client.attributes);
  client.attributes = { ...attributes, [SECRET.createdAt]: String(Math.floor(now / 1000)) };
  return secret;
}
