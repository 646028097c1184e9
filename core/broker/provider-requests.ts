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
import { type ClientCredentials, clientCredentials } from './client-credentials.js';
import { withExactIntegers } from './provider-claims.js';

const MAX_BYTES = 256 * 1024;

export interface RedeemedTokens {
  readonly idToken: string;
  /** Undefined if the provider returns none. */
  readonly accessToken: string | undefined;
  /** The whole response of the token endpoint. */
  readonly answer: JsonObject;
}

/** Requests to identity providers, under the rules of outbound requests. */
export class ProviderRequests {
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #vault: VaultSecrets;
  readonly #privateNetworks: PrivateNetworks;
  readonly #timeoutMs: number;

  constructor(parts: {
    keys: KeyRing;
    clock: Clock;
    vault: VaultSecrets;
    privateNetworks: PrivateNetworks;
    timeoutMs: number;
  }) {
    this.#vault = parts.vault;
    this.#keys = parts.keys;
    this.#clock = parts.clock;
    this.#privateNetworks = parts.privateNetworks;
    this.#timeoutMs = parts.timeoutMs;
  }

  /**
   * Redeems a code (OpenID Connect Core §3.1.3), and decrypts the ID token if it is encrypted for the realm. @throws
   * BrokerFailure
   */
  async tokens(
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
    const answer = await this.#ask('token endpoint', (limits) =>
      outboundPost(provider.tokenUrl, body, { ...limits, headers }),
    );
    const { id_token: idToken, access_token: accessToken } = answer;
    if (typeof idToken !== 'string') throw new BrokerFailure('the token endpoint returned no ID token');
    return {
      idToken: await this.#opened(realm, idToken),
      answer,
      accessToken: typeof accessToken === 'string' ? accessToken : undefined,
    };
  }

  /** OpenID Connect Core §5.3, as JSON. @throws BrokerFailure */
  userinfo(address: string, accessToken: string): Promise<JsonObject> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return this.#ask('userinfo endpoint', (limits) => outboundGet(address, { ...limits, headers }));
  }

  async #credentials(realm: Realm, provider: IdentityProvider): Promise<ClientCredentials> {
    const services = { keys: this.#keys, clock: this.#clock, vault: this.#vault };
    return clientCredentials(services, realm, provider).catch((error: unknown) => {
      // The reason is logged already.
      const isElsewhere = ['vault_secret_missing', 'temporarily_unavailable'].includes(codeOf(error) ?? '');
      if (!isElsewhere) throw error;
      const isOfKey = provider.clientAuthMethod === 'private_key_jwt';
      throw new BrokerFailure(
        isOfKey ? 'the client assertion cannot be signed' : 'the client secret cannot be read from the vault',
      );
    });
  }

  async #opened(realm: Realm, token: string): Promise<string> {
    if (!isEncrypted(token)) return token;
    try {
      return await decryptToken(await this.#keys.realm(realm.name), token);
    } catch (cause) {
      throw new BrokerFailure(`the token of the provider cannot be decrypted: ${messageOf(cause)}`, { cause });
    }
  }

  async #ask(whom: string, request: (limits: OutboundOptions) => Promise<Response>): Promise<JsonObject> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let status: number;
    let text: string;
    try {
      const response = await request({ signal, maxBytes: MAX_BYTES, privateNetworks: this.#privateNetworks });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      const reason = signal.aborted ? `no answer within ${this.#timeoutMs} ms` : messageOf(cause);
      throw new BrokerFailure(`the request to the ${whom} failed: ${reason}`, { cause });
    }
    const body = objectOf(text);
    if (status !== 200) {
      // OAuth's error codes are lower-case words; anything else may repeat parts of the request.
      const code = typeof body?.error === 'string' && /^[a-z_]{1,64}$/.test(body.error) ? ` ${body.error}` : '';
      throw new BrokerFailure(`the ${whom} answered ${status}${code}`);
    }
    if (body === undefined) throw new BrokerFailure(`the response of the ${whom} is not a JSON object`);
    return body;
  }
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? withExactIntegers(text, value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
