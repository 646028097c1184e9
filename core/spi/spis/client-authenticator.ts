import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import type { ClientView } from '../views.js';
import { checkCredentialHeaders } from './declared-headers.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { REQUEST_PARAMETERS } from './request-parameters.js';
import { settingTexts } from './setting-texts.js';
import { CLIENT_PROOF } from './step-answers.js';

/**
 * The declaration of a client authenticator (Keycloak's ClientAuthenticatorFactory). `settings` are attributes of a
 * client.
 */
export interface ClientAuthenticatorDeclaration extends Described {
  /**
   * The names for the discovery metadata `token_endpoint_auth_methods_supported` (RFC 8414 §2), which lists them if a
   * client of the realm uses the authenticator.
   */
  readonly authMethods: readonly string[];
  /**
   * The form parameters that the authenticator reads. They are credentials of its clients, and no other plugin gets
   * them. Parameters of the request itself, such as `scope` or `code`, are not allowed. Default: `client_assertion`,
   * `client_assertion_type` and `client_secret`.
   */
  readonly parameters?: readonly string[];
  /**
   * The request headers that the authenticator reads, such as `x-api-key`, in lower case, at most 10. They are
   * credentials of its clients: no other plugin gets them, the log masks them, and pages of the realm's clients may
   * send them (CORS). Headers of ordinary requests, such as `origin`, are not allowed. Neither is `authorization`,
   * which is always passed. Default: none.
   */
  readonly headers?: readonly string[];
}

/** A request of a client that must authenticate. */
export interface ClientAuthenticationRequest {
  /**
   * The client that the request names: by `client_id`, by `Authorization: Basic`, or by the `sub` of its
   * `client_assertion`. It is enabled and uses this authenticator.
   */
  readonly client: ClientView;
  /** The declared parameters that the request has. */
  readonly form: Readonly<Record<string, string>>;
  /**
   * The declared headers that the request has, by lower-case name, without empty ones. The client is refused if a
   * header is repeated or longer than 8,192 characters. Empty in gRPC and in `session.tokenRequest`.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** The audiences that an assertion may name: the issuer, the token endpoint, and the endpoint that was called. */
  readonly audiences: readonly string[];
}

/** The result of authenticating a client. */
export type ClientProof =
  /**
   * The client is authenticated. `once` names a single-use value, such as the `jti` of an assertion, until `expiresAt`
   * (seconds since the epoch). If it was used before, the client is refused.
   */
  | { readonly outcome: 'success'; readonly once?: { readonly key: string; readonly expiresAt: number } }
  /** The client is not authenticated. `description` is for the client's developers, and must contain no secret. */
  | { readonly outcome: 'failure'; readonly description?: string };

/** Keycloak's ClientAuthenticator: how a client proves who it is (RFC 6749 §2.3). */
export interface ClientAuthenticatorProvider {
  /** If it throws or exceeds its time limit, the client is refused and asked to try again later (503). */
  authenticate(request: ClientAuthenticationRequest): Promise<ClientProof>;
}

/**
 * A client's `clientAuthenticatorType`, which names it by its ID.
 * @example
 * ```ts
 * import { ClientAuthenticator, provide } from '@keyhost/spi';
 *
 * export default provide(ClientAuthenticator, {
 *   id: 'api-key',
 *   describe: { displayName: 'API key' },
 *   authMethods: ['api_key'],
 *   parameters: [],
 *   headers: ['x-api-key'],
 *   settings: { type: 'object', properties: { 'api.key.sha256': { type: 'string', title: 'SHA-256 of the key' } } },
 *   open: () => ({
 *     create: () => ({
 *       async authenticate({ client, headers: { 'x-api-key': key = '' } }) {
 *         const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(key))).toString('hex');
 *         const isRight = hash === client.attributes['api.key.sha256'];
 *         return isRight ? { outcome: 'success' } : { outcome: 'failure', description: 'Wrong API key' };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const ClientAuthenticator = spi<ClientAuthenticatorDeclaration, ClientAuthenticatorProvider>({
  id: 'client-authenticator',
  name: 'ClientAuthenticator',
  carries: 'proof',
  declares: ['describe', 'settings', 'authMethods', 'parameters', 'headers'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  realm: {
    key: 'clients',
    *mentions({ clients }) {
      for (const [index, { clientAuthenticatorType }] of entriesOf(clients)) {
        if (typeof clientAuthenticatorType !== 'string') continue;
        yield { id: clientAuthenticatorType, path: ['clients', index, 'clientAuthenticatorType'], enabled: true };
      }
    },
    example: (id, settings) => {
      const isEmpty = Object.keys(settings).length === 0;
      const attributes = isEmpty ? '' : `, "attributes": ${JSON.stringify(settingTexts(settings))}`;
      return `"clients": [{ "clientId": "app", "clientAuthenticatorType": "${id}"${attributes} }]`;
    },
  },
  // The host checks the most common methods without a provider.
  reserved: ['client-secret', 'client-jwt', 'client-secret-jwt'],
  methods: { required: ['authenticate'] },
  answers: { authenticate: CLIENT_PROOF },
  crosses: [{ maps: ['form', 'headers'] }],
  check(declaration) {
    checkDescribed(declaration);
    const {
      authMethods,
      parameters = [],
      headers = [],
    } = declaration as unknown as Partial<ClientAuthenticatorDeclaration>;
    const isNameList = (value: unknown): value is readonly string[] =>
      Array.isArray(value) && value.every((name) => typeof name === 'string' && name);
    if (!isNameList(authMethods)) throw new Error('authMethods must be a list of names');
    if (!isNameList(parameters)) throw new Error('parameters must be a list of names');
    const reservedIndex = parameters.findIndex((name) => REQUEST_PARAMETERS.has(name));
    if (reservedIndex >= 0) {
      const name = parameters[reservedIndex];
      throw new Error(
        `parameters[${reservedIndex}] must not be ${name}: clients request with it, and it is no credential of theirs`,
      );
    }
    checkCredentialHeaders(headers);
  },
});
