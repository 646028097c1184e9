import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { ClientView } from '../views.js';

/** The declaration of a grant. */
export interface GrantTypeDeclaration {
  /** The event type of this grant, such as `CLIENT_LOGIN`; a failure appends `_ERROR`. */
  readonly eventType: string;
  /** Form parameters that may be given more than once. */
  readonly repeatable?: readonly string[];
}

/** A token request, after the client was authenticated. */
export interface GrantRequest {
  /** The authenticated client. */
  readonly client: ClientView;
  /** The form parameters without the client's credentials. A repeatable one has its last value: see `repeated`. */
  readonly form: Readonly<Record<string, string>>;
  /** All values of each parameter in `repeatable`. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
}

/**
 * The tokens to issue. The token endpoint checks the scopes, adds the claims of mappers, signs the tokens and sends the
 * response.
 */
export interface GrantResult {
  /** The ID of the user that the tokens are about. */
  readonly userId: string;
  /** The requested scope; default: the form's `scope`. */
  readonly scope?: string;
  /** Values to add to `aud` of the access token, also after a refresh. */
  readonly audience?: readonly string[];
  /** `session`: a new durable user session and a refresh token; `transient`: only an access token. */
  readonly login: 'session' | 'transient';
  /** Additional claims of the access token, also after a refresh. They cannot replace the protocol's own. */
  readonly claims?: JsonObject;
  /** Additional members of the response, such as `issued_token_type`. */
  readonly response?: JsonObject;
  /** Details of the event. */
  readonly details?: Readonly<Record<string, string>>;
}

/** Keycloak's OAuth2GrantType: decides which tokens a request gets. */
export interface Grant {
  /**
   * Checks the request and decides which tokens to issue.
   * @throws OAuthError to refuse the request
   */
  authorize(request: GrantRequest): Promise<GrantResult>;
}

/**
 * A value of `grant_type` at the token endpoint. The provider's ID is that value.
 * @example
 * ```ts
 * import { GrantType, OAuthError, provide } from '@keyhost/spi';
 *
 * export default provide(GrantType, {
 *   id: 'urn:example:ticket',
 *   eventType: 'LOGIN',
 *   open: () => ({
 *     create: ({ store }) => ({
 *       async authorize({ form: { ticket = '' } }) {
 *         const userId = await store.get(`ticket ${ticket}`);
 *         const isFirst = typeof userId === 'string' && (await store.claim(`used ${ticket}`, { expiresIn: 300 }));
 *         if (!isFirst) throw new OAuthError('invalid_grant', 'The ticket is not valid');
 *         return { userId, login: 'transient' };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const GrantType = spi<GrantTypeDeclaration, Grant>({
  id: 'oauth2-grant-type',
  name: 'GrantType',
  carries: 'proof',
  declares: ['eventType', 'repeatable'],
  methods: { required: ['authorize'] },
  crosses: [{ maps: ['form'] }],
  check({ eventType }) {
    if (typeof eventType !== 'string') throw new Error('eventType must be a string');
  },
});
