import { randomBytes } from 'node:crypto';
import type { ClientRepresentation } from '../../model/representation.js';

/** True for a client that has a secret: neither public nor bearer-only. */
export function isConfidential({ publicClient, bearerOnly }: ClientRepresentation): boolean {
  return publicClient !== true && bearerOnly !== true;
}

/** Gives a client a new secret of 192 random bits. @param now milliseconds since the epoch */
export function renewSecret(client: ClientRepresentation, now: number): string {
  const secret = randomBytes(24).toString('base64url');
  client.secret = secret;
  client.attributes = { ...client.attributes, 'client.secret.creation.time': String(Math.floor(now / 1000)) };
  return secret;
}
