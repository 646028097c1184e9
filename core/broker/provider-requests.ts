import type { JsonObject } from '@keyhost/spi';
import { decryptToken, isEncrypted } from '../keys/decrypt-token.js';
import type { KeyRing } from '../keys/key-ring.js';
import { type OutboundOptions, outboundGet, outboundPost } from '../keys/outbound/outbound-request.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import type { Realm } from '../model/realm.js';
import { codeOf, messageOf } from '../model/thrown.js';
import type { VaultSecrets } from '../vault/vault-secrets.js';
import { BrokerFailure } from './broker-failure.js';
import { type ClientCredentials, createClientCredentials } from './client-credentials.js';
import { withExactIntegers } from './provider-claims.js';

const MAX_BYTES = 256 * 1024;

export interface RedeemedTokens {
  readonly idToken: string;
  /** Undefined if the provider returns none. */
  readonly accessToken: string | undefined;
  /** The whole response of the token endpoint. */
  readonly response: JsonObject;
}

/** Sends requests to identity providers, under the rules of outbound requests. */
export class ProviderRequests {
  readonly #parts: {
    keys: KeyRing;
    clock: Clock;
    vault: VaultSecrets;
    privateNetworks: PrivateNetworks;
    timeoutMs: number;
  };

  constructor(parts: {
    keys: KeyRing;
    clock: Clock;
    vault: VaultSecrets;
    privateNetworks: PrivateNetworks;
    timeoutMs: number;
  }) {
    this.#parts = parts;
  }

  /**
   * Redeems a code (OpenID Connect Core §3.1.3), and decrypts the ID token if it is encrypted for the realm.
   * @throws BrokerFailure
   */
  async redeemCode(
    realm: Realm,
    provider: IdentityProvider,
    { code, verifier }: { readonly code: string; readonly verifier: string | undefined },
  ): Promise<RedeemedTokens> {
    const { headers, form } = await this.#credentials(realm, provider);
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: provider.redirectUri(realm),
      ...form,
      ...defined({ code_verifier: verifier }),
    });
    const response = await this.#request('token endpoint', (limits) =>
      outboundPost(provider.tokenUrl, body, { ...limits, headers }),
    );
    const { id_token: idToken, access_token: accessToken } = response;
    if (typeof idToken !== 'string') throw new BrokerFailure('the token endpoint returned no ID token');
    return {
      idToken: await this.#decrypt(realm, idToken),
      response,
      accessToken: typeof accessToken === 'string' ? accessToken : undefined,
    };
  }

  /**
   * Fetches the userinfo (OpenID Connect Core §5.3), which must be JSON.
   * @throws BrokerFailure
   */
  fetchUserinfo(address: string, accessToken: string): Promise<JsonObject> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return this.#request('userinfo endpoint', (limits) => outboundGet(address, { ...limits, headers }));
  }

  async #credentials(realm: Realm, provider: IdentityProvider): Promise<ClientCredentials> {
    const services = { keys: this.#parts.keys, clock: this.#parts.clock, vault: this.#parts.vault };
    return createClientCredentials(services, realm, provider).catch((error: unknown) => {
      // The vault or the key ring has logged the reason.
      const isLogged = ['vault_secret_missing', 'temporarily_unavailable'].includes(codeOf(error) ?? '');
      if (!isLogged) throw error;
      const usesKey = provider.clientAuthMethod === 'private_key_jwt';
      throw new BrokerFailure(
        usesKey ? 'the client assertion cannot be signed' : 'the client secret cannot be read from the vault',
      );
    });
  }

  async #decrypt(realm: Realm, token: string): Promise<string> {
    if (!isEncrypted(token)) return token;
    try {
      return await decryptToken(await this.#parts.keys.realm(realm.name), token);
    } catch (cause) {
      throw new BrokerFailure(`the token of the provider cannot be decrypted: ${messageOf(cause)}`, { cause });
    }
  }

  async #request(endpointName: string, request: (limits: OutboundOptions) => Promise<Response>): Promise<JsonObject> {
    const signal = AbortSignal.timeout(this.#parts.timeoutMs);
    let status: number;
    let text: string;
    try {
      const response = await request({ signal, maxBytes: MAX_BYTES, privateNetworks: this.#parts.privateNetworks });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      const reason = signal.aborted ? `no answer within ${this.#parts.timeoutMs} ms` : messageOf(cause);
      throw new BrokerFailure(`the request to the ${endpointName} failed: ${reason}`, { cause });
    }
    const body = parseObject(text);
    if (status !== 200) {
      // OAuth's error codes are lower-case words; anything else may repeat parts of the request.
      const code = typeof body?.error === 'string' && /^[a-z_]{1,64}$/.test(body.error) ? ` ${body.error}` : '';
      throw new BrokerFailure(`the ${endpointName} answered ${status}${code}`);
    }
    if (body === undefined) throw new BrokerFailure(`the response of the ${endpointName} is not a JSON object`);
    return body;
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? withExactIntegers(text, value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
