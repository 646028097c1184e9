import type { JsonObject } from '@keyhost/spi';
import * as jose from 'jose';
import { ASYMMETRIC_ALGORITHMS } from '../keys/algorithms.js';
import type { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import { remoteKeySet } from '../keys/outbound/remote-key-set.js';
import { readPublicKey } from '../model/armour.js';
import type { Clock } from '../model/clock.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import { recentEntries } from '../model/recent-entries.js';
import { codeOf, messageOf } from '../model/thrown.js';
import { BrokerFailure } from './broker-failure.js';
import { payloadOf, withExactIntegers } from './provider-claims.js';

/** jose's error codes for a token that is not signed by one of the provider's keys. */
const SIGNATURE_ERRORS = ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'ERR_JWKS_NO_MATCHING_KEY'];

type KeySet = ReturnType<typeof remoteKeySet>;

/**
 * Minimum interval in milliseconds between two fetches of a provider's keys for tokens that it sends on its own, such
 * as logout tokens.
 */
const COOL_DOWN_MS = 30_000;

/** Verifies tokens of identity providers: ID tokens, access tokens and logout tokens. */
export class ProviderTokens {
  readonly #parts: {
    clock: Clock;
    privateNetworks: PrivateNetworks;
    timeoutMs: number;
    fetched: FetchedKeyGenerations;
  };
  readonly #keySets = recentEntries<string, KeySet>(1000);

  /** @param parts.privateNetworks networks in which a `jwksUrl` may be, in addition to public addresses */
  constructor(parts: {
    clock: Clock;
    privateNetworks: PrivateNetworks;
    timeoutMs: number;
    fetched: FetchedKeyGenerations;
  }) {
    this.#parts = parts;
  }

  /**
   * The claims of an ID token (OpenID Connect Core §3.1.3.7). It must be from this provider, for this client, not
   * expired, and contain this nonce. With `validateSignature` off, the TLS connection to the token endpoint replaces
   * the signature.
   * @throws BrokerFailure
   */
  async verifyIdToken(
    realm: string,
    provider: IdentityProvider,
    token: string,
    nonce: string | undefined,
  ): Promise<JsonObject> {
    const claims = await this.#verify(
      realm,
      provider,
      token,
      { audience: provider.clientId },
      provider.validateSignature,
    );
    const { aud, azp, sub } = claims;
    if (nonce !== undefined && claims.nonce !== nonce) throw invalidToken('its nonce does not match the request');
    if (typeof azp === 'string' && azp !== provider.clientId) throw invalidToken('it was issued to another client');
    if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
      throw invalidToken('it has several values in "aud" and no "azp"');
    if (typeof sub !== 'string' || sub === '') throw invalidToken('it has no "sub"');
    return claims;
  }

  /**
   * The claims of any token that the provider has signed for this client.
   * @throws BrokerFailure
   */
  verifySigned(realm: string, provider: IdentityProvider, token: string): Promise<JsonObject> {
    return this.#verify(realm, provider, token, { audience: provider.clientId }, true, COOL_DOWN_MS);
  }

  /**
   * The claims of an access token that was returned with an ID token. Any audience is accepted.
   * @throws BrokerFailure
   */
  verifyAccessToken(realm: string, provider: IdentityProvider, token: string): Promise<JsonObject> {
    return this.#verify(realm, provider, token, {}, provider.validateSignature);
  }

  async #verify(
    realm: string,
    provider: IdentityProvider,
    token: string,
    audience: Pick<jose.JWTClaimVerificationOptions, 'audience'>,
    mustVerifySignature: boolean,
    coolDownMs = 0,
  ): Promise<JsonObject> {
    const { issuers, clockSkew } = provider;
    const rules: jose.JWTClaimVerificationOptions = {
      ...audience,
      clockTolerance: clockSkew,
      currentDate: new Date(this.#parts.clock.now()),
      requiredClaims: ['exp', 'iat', 'iss'],
      issuer: issuers.length === 0 ? undefined : [...issuers],
    };
    try {
      if (!mustVerifySignature) {
        // The format and claims are still checked, as for a token without a signature.
        const [, payload = ''] = token.split('.');
        const header = Buffer.from('{"alg":"none"}').toString('base64url');
        const claims = jose.UnsecuredJWT.decode(`${header}.${payload}.`, rules).payload as JsonObject;
        return withExactIntegers(payloadOf(token), claims);
      }
      const { payload } = await jose.jwtVerify(token, this.#keyOf(realm, provider, coolDownMs), {
        ...rules,
        algorithms: [...ASYMMETRIC_ALGORITHMS],
      });
      return withExactIntegers(payloadOf(token), payload as JsonObject);
    } catch (cause) {
      const code = codeOf(cause);
      const message = messageOf(cause);
      const messageKey = SIGNATURE_ERRORS.includes(code ?? '') ? 'identityProviderInvalidSignatureMessage' : undefined;
      throw invalidToken(message, { cause, messageKey });
    }
  }

  #keyOf(realm: string, { jwksUrl, publicKey }: IdentityProvider, coolDownMs: number): jose.JWTVerifyGetKey {
    if (jwksUrl === undefined) return async () => readPublicKey(publicKey ?? '');
    // A token from the token endpoint may use a new key, so fetch the keys at once. A token that any sender may choose
    // must not cause fetches.
    const name = `${this.#parts.fetched.cachePrefix(realm)} ${coolDownMs} ${jwksUrl}`;
    let set = this.#keySets.get(name);
    if (set === undefined) {
      set = remoteKeySet(jwksUrl, {
        coolDownMs,
        privateNetworks: this.#parts.privateNetworks,
        timeoutMs: this.#parts.timeoutMs,
      });
      this.#keySets.set(name, set);
    }
    return set;
  }
}

function invalidToken(reason: string, options: { messageKey?: string; cause?: unknown } = {}): BrokerFailure {
  return new BrokerFailure(`the token of the provider is invalid: ${reason}`, options);
}
