import { createSecretKey } from 'node:crypto';
import { HostError } from '@keyhost/spi';
import * as jose from 'jose';
import type { ClientSigning } from '../model/client-signing.js';
import type { Clock } from '../model/clock.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import { signatureAlgorithm } from './algorithms.js';
import { ClientKeys } from './client-keys.js';
import { decodeUnverified, type JwtPayload } from './verify.js';

/** Keycloak's tolerance for the clocks of clients, in seconds. */
const CLOCK_SKEW_SECONDS = 15;
/** Keycloak's default of the client attribute `token.endpoint.auth.signing.max.exp`, in seconds. */
const MAX_AGE_SECONDS = 60;
/** Maximum number of keys tried for an assertion without kid. */
const MAX_CANDIDATES = 5;

/** The client that an assertion claims to be from. */
export interface AssertionClient {
  readonly clientId: string;
  readonly signing: ClientSigning;
  /** The client's valid secrets: the current one, and possibly the previous one. */
  readonly secrets?: readonly string[];
  /** Prefix for cache keys of its fetched keys, from `FetchedKeyGenerations.cachePrefix`. */
  readonly keysRound?: string;
}

export interface AssertionCheck {
  /** Keycloak's authenticator id: `client-jwt` is private_key_jwt, `client-secret-jwt` is client_secret_jwt. */
  readonly method: 'client-jwt' | 'client-secret-jwt';
  /** Acceptable values of `aud`: the issuer, the token endpoint, and the endpoint that received the assertion. */
  readonly audiences: readonly string[];
}

/**
 * Thrown if an assertion is rejected; `message` is Keycloak's reason. The code is `client_key_unavailable` (event error
 * `client_credentials_setup_required`) if the client has no usable key, else `client_assertion_invalid`.
 */
export class ClientAssertionError extends HostError {
  override readonly name = 'ClientAssertionError';
  declare readonly code: 'client_key_unavailable' | 'client_assertion_invalid';

  constructor(reason: string, options: { code?: 'client_key_unavailable'; cause?: unknown } = {}) {
    super(options.code ?? 'client_assertion_invalid', reason, { status: 400, cause: options.cause });
  }
}

/**
 * Verifies client assertions (RFC 7523 §3). The caller must enforce single use, by claiming `jti` until `exp`.
 *
 * An assertion is valid for `token.endpoint.auth.signing.max.exp` seconds (client attribute, default 60) after `iat`,
 * even if its `exp` is later. Without `iat`, its `exp` must not be further in the future than that. It must have
 * exactly one audience, as in Keycloak: a string, or an array with one element.
 */
export class ClientAssertionVerifier {
  readonly #clock: Clock;
  readonly #keys: ClientKeys;

  /** @param options.privateNetworks networks in which `jwks.url` may be, in addition to public addresses */
  constructor(options: { readonly clock: Clock; readonly privateNetworks: PrivateNetworks }) {
    this.#clock = options.clock;
    this.#keys = new ClientKeys(options);
  }

  /**
   * Verifies an assertion.
   * @returns `exp`: the time in seconds since the epoch after which this assertion is always rejected
   * @throws ClientAssertionError
   */
  async verify(
    assertion: string,
    client: AssertionClient,
    check: AssertionCheck,
  ): Promise<{ sub: string; jti: string; exp: number }> {
    const { header, payload } = parse(assertion);
    const { sub, jti } = payload;
    if (typeof sub !== 'string') throw new ClientAssertionError('Token sub claim is required');
    if (payload.iss !== sub || sub !== client.clientId) {
      throw new ClientAssertionError('Issuer mismatch. The issuer should match the subject');
    }
    checkAlgorithm(header.alg, client, check.method);
    await this.#checkSignature(assertion, client, check.method);
    checkAudience(payload.aud, check.audiences);
    const exp = checkActive(payload, client, Math.floor(this.#clock.now() / 1000));
    if (typeof jti !== 'string' || jti === '') throw new ClientAssertionError('Token jti claim is required');
    return { sub, jti, exp };
  }

  async #checkSignature(assertion: string, client: AssertionClient, method: AssertionCheck['method']): Promise<void> {
    if (method === 'client-secret-jwt') return checkSecret(assertion, client);
    const lookup = this.#publicKey(client);
    try {
      await jose.compactVerify(assertion, lookup);
    } catch (cause) {
      if (cause instanceof jose.errors.JWKSMultipleMatchingKeys && (await verifiesWithAny(assertion, cause))) return;
      if (cause instanceof ClientAssertionError) throw cause;
      throw new ClientAssertionError('Signature on JWT token failed validation', { cause });
    }
  }

  #publicKey(client: AssertionClient) {
    const keyUnavailable = (cause?: unknown) =>
      new ClientAssertionError('Unable to load public key', { code: 'client_key_unavailable', cause });
    return async (header: jose.CompactJWSHeaderParameters) => {
      try {
        const source = client.signing.keySource;
        if (source === undefined) throw keyUnavailable();
        return await this.#keys.lookup(source, client.keysRound)(header);
      } catch (error) {
        if (error instanceof ClientAssertionError || error instanceof jose.errors.JWKSMultipleMatchingKeys) throw error;
        throw keyUnavailable(error);
      }
    };
  }
}

function parse(assertion: string): ReturnType<typeof decodeUnverified> {
  try {
    return decodeUnverified(assertion);
  } catch (cause) {
    throw new ClientAssertionError('The client assertion is not a signed JWT', { cause });
  }
}

async function checkSecret(assertion: string, { secrets = [] }: AssertionClient): Promise<void> {
  const usable = secrets.filter((secret) => secret !== '');
  if (usable.length === 0) {
    throw new ClientAssertionError('Unable to load client secret', { code: 'client_key_unavailable' });
  }
  const results = await Promise.allSettled(
    usable.map((secret) => jose.compactVerify(assertion, createSecretKey(secret, 'utf8'))),
  );
  const [firstResult] = results;
  if (results.some(({ status }) => status === 'fulfilled') || firstResult?.status !== 'rejected') return;
  throw new ClientAssertionError('Signature on JWT token failed validation', { cause: firstResult.reason });
}

/**
 * Tries all candidates. jose refuses to choose among several keys of the same type for an assertion without kid, which
 * Keycloak clients often send.
 */
async function verifiesWithAny(assertion: string, candidates: jose.errors.JWKSMultipleMatchingKeys): Promise<boolean> {
  let tried = 0;
  for await (const key of candidates) {
    if (++tried > MAX_CANDIDATES) return false;
    const isVerified = await jose.compactVerify(assertion, key).then(
      () => true,
      () => false,
    );
    if (isVerified) return true;
  }
  return false;
}

function checkAlgorithm(alg: string, client: AssertionClient, method: AssertionCheck['method']): void {
  const expected = client.signing.algorithm;
  if (expected !== undefined && expected !== alg) {
    throw new ClientAssertionError('Invalid signature algorithm');
  }
  const algorithm = signatureAlgorithm(alg);
  if (algorithm === undefined) throw new ClientAssertionError('Algorithm not supported');
  const isSymmetric = algorithm.kty === 'oct';
  if (method === 'client-jwt' && isSymmetric) throw new ClientAssertionError('Algorithm is not asymmetric');
  if (method === 'client-secret-jwt' && !isSymmetric) throw new ClientAssertionError('Algorithm is not symmetric');
}

function checkAudience(aud: unknown, expected: readonly string[]): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.some((audience) => expected.includes(audience as string))) {
    throw new ClientAssertionError('Invalid token audience');
  }
  if (audiences.length > 1) throw new ClientAssertionError('Multiple audiences not allowed');
}

function checkActive(payload: JwtPayload, client: AssertionClient, now: number): number {
  const { exp, nbf, iat } = payload;
  const maxExp = client.signing.maxAge ?? MAX_AGE_SECONDS;
  if (!isTime(exp)) throw new ClientAssertionError('Token exp claim is required');
  if (exp <= now || (nbf !== undefined && !(isTime(nbf) && nbf - CLOCK_SKEW_SECONDS <= now))) {
    throw new ClientAssertionError('Token is not active');
  }
  if (iat === undefined) {
    if (exp - now > maxExp) {
      throw new ClientAssertionError('Token expiration is too far in the future and iat claim not present in token');
    }
    return Math.ceil(exp);
  }
  if (!isTime(iat) || iat - CLOCK_SKEW_SECONDS > now) throw new ClientAssertionError('Token was issued in the future');
  if (now > iat + maxExp) throw new ClientAssertionError('Token was issued too far in the past to be used now');
  return Math.ceil(Math.min(exp, iat + maxExp + 1));
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
