import { OAuthError } from '@keyhost/spi';
import { bearerToken } from '../../http/bearer.js';
import type { Exchange } from '../../http/exchange.js';
import { INTERNAL_ALGORITHM } from '../../keys/algorithms.js';
import { decodeUnverified } from '../../keys/verify.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import { Admin, type TokenAdmin } from '../admin.js';
import type { StoredClient } from '../clients/find-client.js';
import type { RegistrationAuth } from './registration-policies.js';
import { INITIAL_ACCESS, type RegistrationTokenParts, readRegistrationToken } from './registration-token.js';

export interface RegistrantParts extends RegistrationTokenParts {
  /**
   * Checks a bearer access token that the realm issued.
   * @throws HostError `invalid_token`
   */
  authenticate(realm: Realm, token: string): Promise<TokenAdmin>;
}

/** The caller of a registration request: an admin of the realm, or the holder of a registration token. */
export type Registrant =
  | { readonly kind: 'admin'; readonly admin: Admin }
  | { readonly kind: 'initial'; readonly id: string }
  | {
      readonly kind: 'registered';
      readonly id: string;
      readonly token: string;
      /** How the client was registered: with a token, or anonymously. */
      readonly auth: RegistrationAuth;
    };

/**
 * Authenticates the caller of a request (Keycloak's ClientRegistrationAuth). Returns undefined if the request has no
 * bearer token.
 * @throws OAuthError 401 `invalid_token`
 */
export async function authenticateRegistrant(
  parts: RegistrantParts,
  { ctx, realm }: Exchange,
): Promise<Registrant | undefined> {
  const token = bearerToken(ctx.get('authorization'));
  if (token === undefined) return undefined;
  if (!isRegistrationToken(token)) {
    try {
      return { kind: 'admin', admin: new Admin(realm, await parts.authenticate(realm, token), ctx.providers) };
    } catch (error) {
      if (codeOf(error) === 'invalid_token') throw invalidToken('Failed decode token');
      throw error;
    }
  }
  const verified = await readRegistrationToken(parts, realm, token);
  if (verified === undefined) throw invalidToken('Failed decode token');
  const { type, id, auth } = verified;
  return type === INITIAL_ACCESS ? { kind: 'initial', id } : { kind: 'registered', id, token, auth };
}

/**
 * True if the token is a registration token. Its header is not verified yet, and only selects how to verify the token.
 */
function isRegistrationToken(token: string): boolean {
  try {
    return decodeUnverified(token).header.alg === INTERNAL_ALGORITHM;
  } catch {
    return false;
  }
}

/**
 * Finds a client that the caller may access.
 * @param anyOf roles of which an admin needs one
 * @throws OAuthError 401, 403, 404
 */
export function requireAccessibleClient(
  realm: RealmRepresentation,
  clientId: string,
  registrant: Registrant | undefined,
  anyOf: readonly string[],
): StoredClient {
  const client = realm.clients?.find((candidate) => candidate.clientId === clientId);
  if (registrant?.kind === 'admin') {
    if (!registrant.admin.can(realm.realm, ...anyOf)) throw insufficientScopeError('Forbidden');
    if (client?.id === undefined) throw new OAuthError('invalid_request', 'Client not found', { status: 404 });
    return client as StoredClient;
  }
  if (registrant?.kind === 'initial') throw invalidToken('Not initial access token allowed');
  // The response is the same for an unknown, a foreign and a disabled client, so that callers cannot probe for client
  // IDs.
  const isEnabledClient = client?.id !== undefined && client.enabled !== false && registrant?.kind === 'registered';
  if (!isEnabledClient || client.registrationTokenId !== registrant.id) {
    throw invalidToken('Not authorized for this client. Not valid token or client credentials provided.');
  }
  return client as StoredClient;
}

export function invalidToken(description: string): OAuthError {
  return new OAuthError('invalid_token', description, { status: 401 });
}

/**
 * Creates the error for a caller without the required rights.
 * @param policy the client registration policy that rejected the request, for the event
 */
export function insufficientScopeError(description: string, policy?: string): OAuthError {
  const details = defined({ client_registration_policy: policy });
  return new OAuthError('insufficient_scope', description, { status: 403, eventError: 'not_allowed', details });
}
