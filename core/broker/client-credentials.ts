import { randomUUID } from 'node:crypto';
import * as jose from 'jose';
import type { KeyRing } from '../keys/key-ring.js';
import { signJwt } from '../keys/sign.js';
import type { Clock } from '../model/clock.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import type { VaultSecrets } from '../vault/vault-secrets.js';

/** Lifetime of a client assertion in seconds. */
const ASSERTION_LIFESPAN_SECONDS = 60;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** What authenticates this host as the provider's client at its token endpoint. */
export interface ClientCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * Creates the credentials for the provider's `clientAuthMethod`. `private_key_jwt` signs with the realm's key, which is
 * in the realm's JWKS.
 */
export async function createClientCredentials(
  { keys, clock, vault }: { readonly keys: KeyRing; readonly clock: Clock; readonly vault: VaultSecrets },
  realm: Realm,
  provider: IdentityProvider,
): Promise<ClientCredentials> {
  const { clientId, clientAuthMethod, assertionAlgorithm, assertionAudience, tokenUrl } = provider;
  const withBasic = (id: string, secret: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    form: {},
  });
  const now = Math.floor(clock.now() / 1000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: assertionAudience ?? tokenUrl,
    jti: randomUUID(),
    iat: now,
    exp: now + ASSERTION_LIFESPAN_SECONDS,
  };
  const withAssertion = (assertion: string) => ({
    headers: {},
    form: { client_id: clientId, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion },
  });
  if (clientAuthMethod === 'private_key_jwt') {
    const ring = await keys.realm(realm.name);
    return withAssertion(
      await signJwt(await ring.active(assertionAlgorithm ?? realm.defaultSignatureAlgorithm), claims),
    );
  }
  // A public client: only PKCE protects the code.
  if (provider.clientSecret === undefined) return { headers: {}, form: { client_id: clientId } };
  const clientSecret = await vault.secret(realm, provider.clientSecret);
  if (clientAuthMethod === 'client_secret_jwt') {
    const signer = new jose.SignJWT(claims).setProtectedHeader({ alg: assertionAlgorithm ?? 'HS256', typ: 'JWT' });
    return withAssertion(await signer.sign(Buffer.from(clientSecret)));
  }
  if (clientAuthMethod === 'client_secret_basic') return withBasic(formEncode(clientId), formEncode(clientSecret));
  if (clientAuthMethod === 'client_secret_basic_unencoded') return withBasic(clientId, clientSecret);
  return { headers: {}, form: { client_id: clientId, client_secret: clientSecret } };
}

/** Form-urlencodes an ID or secret (RFC 6749 §2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
