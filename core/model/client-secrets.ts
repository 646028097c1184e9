import { isMask } from './mask.js';
import { randomToken } from './random-token.js';
import type { ClientRepresentation, RealmRepresentation } from './representation.js';

/** Keycloak's client attributes about its secret. Times are seconds since the epoch, as texts. */
export const SECRET = {
  createdAt: 'client.secret.creation.time',
  expiresAt: 'client.secret.expiration.time',
  /** The secret before, which is good for a while. */
  rotated: 'client.secret.rotated',
  rotatedAt: 'client.secret.rotated.creation.time',
  rotatedExpiresAt: 'client.secret.rotated.expiration.time',
} as const;

/** Client authenticators that know a client by its secret. */
export const WITH_SECRET: readonly string[] = ['client-secret', 'client-secret-jwt'];

type Attributes = Readonly<Record<string, string>>;

/** Whether a time of an attribute has come. Without one it never does. @param now milliseconds since the epoch */
export function hasCome(attribute: string | undefined, now: number): boolean {
  const at = Number(attribute);
  return attribute !== undefined && attribute !== '' && at > 0 && at * 1000 <= now;
}

/** The previous secret; undefined if there is none. It may have expired. */
export function rotatedSecret(attributes: Attributes = {}): string | undefined {
  const { [SECRET.rotated]: secret, [SECRET.rotatedAt]: at } = attributes;
  return secret && !isMask(secret) && at ? secret : undefined;
}

/** The attributes without the previous secret and its times. */
export function withoutRotated(attributes: Attributes = {}): Record<string, string> {
  const { [SECRET.rotated]: _, [SECRET.rotatedAt]: __, [SECRET.rotatedExpiresAt]: ___, ...others } = attributes;
  return others;
}

/**
 * The attributes that plugins see, without the previous secret and private keys such as `jwt.credential.private.key`.
 * Other secrets stay: a client authenticator reads those of its clients here.
 */
export function openAttributes(attributes: Attributes = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(withoutRotated(attributes)).filter(([name]) => !/(?:^|\.)private\.key$/.test(name)),
  );
}

/** True for a client that has a secret: neither public nor bearer-only. */
export function isConfidential({ publicClient, bearerOnly }: Partial<ClientRepresentation>): boolean {
  return publicClient !== true && bearerOnly !== true;
}

/** The secret that authenticates a client; undefined if none, or only a mask, is stored. */
export function usableSecret(secret: string | undefined): string | undefined {
  return secret === undefined || secret === '' || isMask(secret) ? undefined : secret;
}

/** A secret of 192 random bits. */
export function newSecret(): string {
  return randomToken(24);
}

/**
 * Adds a new secret to each confidential client without one, as Keycloak does.
 * @returns `given`: the client IDs that got one
 */
export function withSecrets<R extends Pick<RealmRepresentation, 'clients'>>(realm: R): { realm: R; given: string[] } {
  const given: string[] = [];
  const clients = realm.clients?.map((client) => {
    if (!isConfidential(client) || usableSecret(client.secret) !== undefined) return client;
    given.push(client.clientId);
    return { ...client, secret: newSecret() };
  });
  return { realm: given.length === 0 ? realm : { ...realm, clients }, given };
}
