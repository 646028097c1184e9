import { hash } from 'node:crypto';
import { ClientAuthenticator, HostError, OAuthError } from '@keyhost/spi';
import type { Form } from '../http/form.js';
import type { ClientAssertionVerifier } from '../keys/client-assertion.js';
import type { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import { decodeUnverified } from '../keys/verify.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { maskMembers } from '../model/mask-secrets.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import type { Realm } from '../model/realm.js';
import type { RealmProviders } from '../model/realm-providers.js';
import { retryOptions } from '../model/retry-later.js';
import { codeOf, messageOf } from '../model/thrown.js';
import type { Caller } from '../registry/sessions/caller.js';
import type { Store } from '../store/store.js';
import type { VaultSecrets } from '../vault/vault-secrets.js';
import { isBuiltInAuthenticator } from './built-in-client-authenticators.js';
import { readClientHeaders } from './client-headers.js';

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const DESCRIPTION = 'Invalid client or Invalid client credentials';

/** The form parameters that a plugin gets unless it declares others. */
const DEFAULT_PARAMETERS = ['client_assertion', 'client_assertion_type', 'client_secret'];

/**
 * Maximum length in characters of an assertion ID that is stored unhashed. Clients choose it, and a PostgreSQL index
 * entry holds less than 3 KB.
 */
const MAX_KEY_LENGTH = 256;

/** The credentials of a request outside its form. */
export type RequestCredentials = Pick<Caller, 'authorization' | 'headers'>;

/** An authenticated client, and Keycloak's name of the method. */
export interface AuthenticatedClient {
  readonly client: Client;
  readonly method: string;
  /** Names of the form parameters that the authenticating plugin reads; absent if the host authenticated the client. */
  readonly proofs?: readonly string[];
}

/**
 * Client authentication at the token endpoint and the other client endpoints (RFC 6749 §2.3, RFC 7523):
 * `client_secret_basic`, `client_secret_post`, `private_key_jwt`, `client_secret_jwt`. A public client only sends its
 * ID. Credentials in the form take precedence over Basic ones, as in Keycloak. Only the client's registered method is
 * accepted; it may be a plugin's.
 */
export class ClientAuthentication {
  readonly #parts: {
    store: Store;
    clock: Clock;
    privateNetworks: PrivateNetworks;
    providers: RealmProviders;
    vault: VaultSecrets;
    fetched: FetchedKeyGenerations;
  };
  #assertionVerifier: Promise<ClientAssertionVerifier> | undefined;

  constructor(parts: {
    store: Store;
    clock: Clock;
    privateNetworks: PrivateNetworks;
    providers: RealmProviders;
    vault: VaultSecrets;
    fetched: FetchedKeyGenerations;
  }) {
    this.#parts = parts;
  }

  /**
   * @param address URL of the called endpoint, for assertions that name it (RFC 9126 §2); default: the token endpoint
   * @throws OAuthError 401 `invalid_client` or `unauthorized_client`, always with the same description; 400 for an
   * invalid assertion. HostError `temporarily_unavailable` (503) if a plugin fails
   */
  async authenticate(
    realm: Realm,
    form: Form,
    { authorization, headers }: RequestCredentials,
    address?: string,
  ): Promise<AuthenticatedClient> {
    const basic = parseBasic(authorization);
    const challenge: Record<string, string> = basic.isBasic
      ? { 'www-authenticate': `Basic realm="${realm.name}"` }
      : {};
    const assertion = form.get('client_assertion');
    const secret = form.get('client_secret') ?? basic.secret;
    const client = findClaimedClient(realm, form, basic.clientId);
    if (client === undefined) throw authenticationError('invalid_client', 'client_not_found', challenge);
    if (!client.enabled) throw authenticationError('invalid_client', 'client_disabled', challenge);
    if (client.protocol !== 'openid-connect') {
      throw new OAuthError('invalid_client', 'Wrong client protocol.', { eventError: 'invalid_client' });
    }
    if (client.publicClient) return { client, method: 'client-secret' };
    if (!isBuiltInAuthenticator(client.authenticatorType)) {
      const request = { form, headers, authorization, audiences: audiencesOf(realm, address) };
      const proofs = await this.#proveToPlugin(realm, client, request, challenge);
      return { client, method: client.authenticatorType, proofs };
    }
    if (assertion !== undefined && secret !== undefined)
      throw authenticationError('invalid_client', 'client_not_found', challenge);
    if (client.authenticatorType === 'client-secret') {
      // A bearer-only client may not call this endpoint; the endpoint reports that itself.
      if (assertion !== undefined) throw authenticationError('invalid_client', 'client_not_found', challenge);
      const vaultSecret = client.secretReference === undefined ? undefined : await this.#secretOf(realm, client);
      if (secret === undefined || !client.secretMatches(secret, this.#parts.clock.now(), vaultSecret)) {
        throw authenticationError('unauthorized_client', 'invalid_client_credentials', challenge);
      }
      return { client, method: 'client-secret' };
    }
    if (assertion === undefined || form.get('client_assertion_type') !== JWT_BEARER) {
      throw authenticationError('invalid_client', 'client_not_found', challenge);
    }
    await this.#checkAssertion(realm, client, assertion, client.authenticatorType, address);
    return { client, method: client.authenticatorType };
  }

  /** The client that a request claims to be, even if it fails to authenticate: for the event of the failure. */
  claimedClient(realm: Realm, form: Form, authorization: string | undefined): Client | undefined {
    return findClaimedClient(realm, form, parseBasic(authorization).clientId);
  }

  /** Loads jose with the first assertion, because most hosts never get one. */
  async #loadAssertionVerifier(): Promise<ClientAssertionVerifier> {
    const { ClientAssertionVerifier } = await import('../keys/client-assertion.js');
    return new ClientAssertionVerifier({ clock: this.#parts.clock, privateNetworks: this.#parts.privateNetworks });
  }

  async #checkAssertion(
    realm: Realm,
    client: Client,
    assertion: string,
    method: 'client-jwt' | 'client-secret-jwt',
    address: string | undefined,
  ) {
    const audiences = audiencesOf(realm, address);
    const vaultSecret = method === 'client-jwt' ? undefined : await this.#secretOf(realm, client);
    let claims: { jti: string; exp: number };
    try {
      this.#assertionVerifier ??= this.#loadAssertionVerifier();
      claims = await (await this.#assertionVerifier).verify(
        assertion,
        {
          clientId: client.clientId,
          signing: client.signing,
          secrets: client.hmacSecrets(this.#parts.clock.now(), vaultSecret),
          keysRound: this.#parts.fetched.cachePrefix(realm.name),
        },
        { method, audiences },
      );
    } catch (error) {
      const code = codeOf(error);
      const message = messageOf(error);
      if (code === 'client_key_unavailable') {
        throw new OAuthError('invalid_client', 'Unable to load public key', {
          eventError: 'client_credentials_setup_required',
        });
      }
      if (code !== 'client_assertion_invalid') throw error;
      throw failedAssertion(message);
    }
    if (!(await this.#claimFirstUse(realm, client, claims.jti, claims.exp)))
      throw failedAssertion('Token reuse detected');
  }

  /**
   * The client's secret from a vault; undefined if the client has no reference to one, or no vault has it.
   * @throws HostError 503
   */
  async #secretOf(realm: Realm, { secretReference }: Client): Promise<string | undefined> {
    if (secretReference === undefined) return undefined;
    return this.#parts.vault.secret(realm, secretReference).catch((error: unknown) => {
      if (codeOf(error) === 'vault_secret_missing') return undefined;
      throw error;
    });
  }

  /**
   * Records an assertion or proof as used.
   * @param expiresAt seconds since the epoch
   * @returns false if it was used before
   */
  #claimFirstUse(realm: Realm, client: Client, key: string, expiresAt: number): Promise<boolean> {
    return this.#parts.store.marks.claim({
      realm: realm.name,
      kind: 'client-assertion',
      keyHash: `${client.clientId} ${key.length > MAX_KEY_LENGTH ? hash('sha256', key, 'base64url') : key}`,
      expiresAt: expiresAt * 1000,
      now: this.#parts.clock.now(),
    });
  }

  /**
   * Authenticates the client by a plugin.
   * @returns names of the form parameters that the plugin reads
   */
  async #proveToPlugin(
    realm: Realm,
    client: Client,
    { form, headers, ...request }: RequestCredentials & { form: Form; audiences: readonly string[] },
    challenge: Record<string, string>,
  ): Promise<readonly string[]> {
    const plugin = this.#parts.providers.find(realm, ClientAuthenticator, client.authenticatorType);
    if (plugin === undefined) throw authenticationError('invalid_client', 'client_not_found', challenge);
    const { parameters = DEFAULT_PARAMETERS, headers: declaredHeaders = [] } = plugin.declaration;
    const formValues: Record<string, string> = Object.create(null);
    for (const name of parameters) {
      const value = form.get(name);
      if (value !== undefined) formValues[name] = value;
    }
    if (declaredHeaders.length > 0) maskMembers(declaredHeaders);
    const { values: headerValues, problem } = readClientHeaders(headers, declaredHeaders);
    if (problem !== undefined)
      throw authenticationError('invalid_client', 'invalid_client_credentials', challenge, problem);
    const { authorization, audiences } = request;
    const authenticationRequest = {
      client: client.view,
      form: formValues,
      headers: headerValues,
      authorization,
      audiences,
    };
    const proof = await plugin
      .call((provider) => provider.authenticate(authenticationRequest))
      .catch((cause: unknown) => {
        const options = retryOptions(5, cause);
        throw new HostError('temporarily_unavailable', 'Clients cannot be authenticated at the moment.', options);
      });
    if (proof.outcome === 'failure') {
      throw authenticationError('invalid_client', 'invalid_client_credentials', challenge, proof.description);
    }
    const { once } = proof;
    if (once !== undefined && !(await this.#claimFirstUse(realm, client, once.key, once.expiresAt))) {
      throw authenticationError('invalid_client', 'invalid_client_credentials', challenge, 'Token reuse detected');
    }
    return parameters;
  }
}

function findClaimedClient(realm: Realm, form: Form, basicId: string | undefined): Client | undefined {
  const assertion = form.get('client_assertion');
  const clientId = form.get('client_id') ?? basicId ?? (assertion === undefined ? undefined : subjectOf(assertion));
  return clientId === undefined ? undefined : realm.clients.get(clientId);
}

function failedAssertion(reason: string): OAuthError {
  return new OAuthError('invalid_client', `Client authentication with signed JWT failed: ${reason}`, {
    eventError: 'invalid_client_credentials',
  });
}

function authenticationError(
  error: string,
  eventError: string,
  headers: Record<string, string>,
  description = DESCRIPTION,
) {
  return new OAuthError(error, description, { status: 401, eventError, headers });
}

/**
 * The audiences that an assertion may contain.
 * @param address URL of the called endpoint
 */
function audiencesOf(realm: Realm, address: string | undefined): readonly string[] {
  const token = `${realm.issuer}/protocol/openid-connect/token`;
  return [realm.issuer, token, address ?? token];
}

/** Parses `Authorization: Basic` with form-urlencoded ID and secret (RFC 6749 §2.3.1). */
function parseBasic(authorization: string | undefined): { isBasic: boolean; clientId?: string; secret?: string } {
  const match = authorization === undefined ? null : /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(authorization);
  if (match?.[1] === undefined) return { isBasic: authorization?.toLowerCase().startsWith('basic') ?? false };
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return { isBasic: true };
  const clientId = formDecode(text.slice(0, colon));
  const secret = formDecode(text.slice(colon + 1));
  return { isBasic: true, clientId: clientId || undefined, secret: secret || undefined };
}

/** Decodes form-urlencoded text. Malformed text is returned unchanged: many clients do not encode. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function subjectOf(assertion: string): string | undefined {
  try {
    const { sub } = decodeUnverified(assertion).payload;
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}
