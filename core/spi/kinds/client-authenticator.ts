import { spi } from '../plugin.js';
import { entriesOf } from '../realm-entries.js';
import type { ClientView } from '../views.js';
import { checkCredentialHeaders } from './declared-headers.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { REQUEST_PARAMETERS } from './request-parameters.js';
import { settingTexts } from './setting-texts.js';
import { CLIENT_PROOF } from './step-answers.js';

/** What a client authenticator declares (Keycloak's ClientAuthenticatorFactory). `settings` are attributes of a client. */
export interface ClientAuthenticatorDeclaration extends Described {
  /** Its names in `token_endpoint_auth_methods_supported` of discovery (RFC 8414 §2), where a client of the realm uses it. */
  readonly authMethods: readonly string[];
  /**
   * The form parameters that it reads. They are credentials of its clients: no other plugin sees them. What clients request with,
   * such as `scope` or `code`, cannot be among them.
   * Default: `client_assertion`, `client_assertion_type` and `client_secret`.
   */
  readonly parameters?: readonly string[];
  /**
   * The request headers that it reads, such as `x-api-key`: in lower case, at most 10. They are credentials of its clients: no other
   * plugin sees them, pages of the realm's clients may send them (CORS), and the log masks them. What requests of all kinds have, such
   * as `origin`, cannot be among them, nor can `authorization`, which every request carries by itself. Default: none.
   */
  readonly headers?: readonly string[];
}

/** A request of a client that must say who it is. */
export interface ClientAuthenticationRequest {
  /**
   * The client that the request names: by `client_id`, by `Authorization: Basic`, or by the `sub` of its `client_assertion`. It is
   * enabled and registered for this authenticator.
   */
  readonly client: ClientView;
  /** The declared parameters that the request has. */
  readonly form: Readonly<Record<string, string>>;
  /**
   * The declared headers that the request has, by lower-case name; one with an empty value is left out. A header that came more than
   * once, or is longer than 8,192 characters, refuses the client. None in gRPC, and none in `session.tokenRequest`.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** What an assertion may name as its audience: the issuer, the token endpoint, and the endpoint that was called. */
  readonly audiences: readonly string[];
}

export type ClientProof =
  /**
   * The client is who it says. `once`: what may be used once, such as the `jti` of an assertion, until `expiresAt` (seconds since the
   * epoch). If it was used before, the client is refused.
   */
  | { readonly outcome: 'success'; readonly once?: { readonly key: string; readonly expiresAt: number } }
  /** It is not, or did not say. `description` is for the client's developers, and holds nothing secret. */
  | { readonly outcome: 'failure'; readonly description?: string };

/** Keycloak's ClientAuthenticator: how a client proves who it is (RFC 6749 §2.3). */
export interface ClientAuthenticatorProvider {
  /** If it throws or answers too late, the client is not let in, and is told to try again later (503). */
  authenticate(request: ClientAuthenticationRequest): Promise<ClientProof>;
}

/** A client's `clientAuthenticatorType`, which names it by its ID. */
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
  // What most clients use is checked without a provider.
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
    const isNames = (value: unknown): value is readonly string[] =>
      Array.isArray(value) && value.every((name) => typeof name === 'string' && name);
    if (!isNames(authMethods)) throw new Error('authMethods must be a list of names');
    if (!isNames(parameters)) throw new Error('parameters must be a list of names');
    const taken = parameters.findIndex((name) => REQUEST_PARAMETERS.has(name));
    if (taken >= 0) {
      const name = parameters[taken];
      throw new Error(
        `parameters[${taken}] must not be ${name}: clients request with it, and it is no credential of theirs`,
      );
    }
    checkCredentialHeaders(headers);
  },
});
