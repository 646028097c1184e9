import { isMask } from './mask.js';
import { randomToken } from './random-token.js';
import type { ClientRepresentation, RealmRepresentation } from './representation.js';

/** Keycloak's attributes about the secrets of a client. Times are in seconds since the epoch, as texts. */
export const SECRET_ATTRIBUTES = {
  createdAt: 'client.secret.creation.time',
  expiresAt: 'client.secret.expiration.time',
  /** The previous secret, which stays valid for a while. */
  rotated: 'client.secret.rotated',
  rotatedAt: 'client.secret.rotated.creation.time',
  rotatedExpiresAt: 'client.secret.rotated.expiration.time',
} as const;

/** Client authenticators that use the client's secret. */
export const SECRET_AUTHENTICATORS: readonly string[] = ['client-secret', 'client-secret-jwt'];

type Attributes = Readonly<Record<string, string>>;

/**
 * True if the time in an attribute has passed; false if there is no time.
 * @param now milliseconds since the epoch
 */
export function isPast(attribute: string | undefined, now: number): boolean {
  const seconds = Number(attribute);
  return attribute !== undefined && attribute !== '' && seconds > 0 && seconds * 1000 <= now;
}

/** The previous secret; undefined if there is none. It may have expired. */
export function rotatedSecret(attributes: Attributes = {}): string | undefined {
  const { [SECRET_ATTRIBUTES.rotated]: secret, [SECRET_ATTRIBUTES.rotatedAt]: rotatedAt } = attributes;
  return secret && !isMask(secret) && rotatedAt ? secret : undefined;
}

/** Returns the attributes without the previous secret and its times. */
export function withoutRotatedSecret(attributes: Attributes = {}): Record<string, string> {
  const {
    [SECRET_ATTRIBUTES.rotated]: _,
    [SECRET_ATTRIBUTES.rotatedAt]: __,
    [SECRET_ATTRIBUTES.rotatedExpiresAt]: ___,
    ...remaining
  } = attributes;
  return remaining;
}

/**
 * The attributes without the previous secret and private keys such as `jwt.credential.private.key`. Other secrets stay,
 * since a client authenticator of a plugin reads the secrets of its clients from attributes.
 */
export function attributesForPlugins(attributes: Attributes = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(withoutRotatedSecret(attributes)).filter(([name]) => !/(?:^|\.)private\.key$/.test(name)),
  );
}

/** True for a client that is neither public nor bearer-only, and thus has a secret. */
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
 * @returns the realm with the new secrets, and the IDs of the clients that got one
 */
export function addMissingSecrets<R extends Pick<RealmRepresentation, 'clients'>>(
  realm: R,
): { realm: R; clientIds: string[] } {
  const clientIds: string[] = [];
  const clients = realm.clients?.map((client) => {
    if (!isConfidential(client) || usableSecret(client.secret) !== undefined) return client;
    clientIds.push(client.clientId);
    return { ...client, secret: newSecret() };
  });
  return { realm: clientIds.length === 0 ? realm : { ...realm, clients }, clientIds };
}
