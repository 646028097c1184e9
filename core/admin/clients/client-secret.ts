import { newSecret, SECRET_ATTRIBUTES, withoutRotatedSecret } from '../../model/client-secrets.js';
import type { ClientRepresentation } from '../../model/representation.js';

/**
 * Replaces a client's secret, and removes its expiry and the previous secret.
 * @param now milliseconds since the epoch
 */
export function renewSecret(client: ClientRepresentation, now: number): string {
  const secret = newSecret();
  client.secret = secret;
  const { [SECRET_ATTRIBUTES.expiresAt]: _, ...attributes } = withoutRotatedSecret(client.attributes);
  client.attributes = { ...attributes, [SECRET_ATTRIBUTES.createdAt]: String(Math.floor(now / 1000)) };
  return secret;
}
