import type { JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { ClientView } from '../views.js';

export interface GrantTypeDeclaration {
  /** The event type of this grant, such as `CLIENT_LOGIN`; a failure appends `_ERROR`. */
  readonly eventType: string;
  /** Form parameters that may be given more than once. */
  readonly repeatable?: readonly string[];
}

export interface GrantRequest {
  /** The authenticated client. */
  readonly client: ClientView;
  /** Form parameters; the last value of a repeatable one. Never the client's credentials. */
  readonly form: Readonly<Record<string, string>>;
  /** All values of the parameters that the grant declared repeatable. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
}

/** Which tokens to issue. The endpoint checks the scopes, runs the mappers, signs, and writes the answer. */
export interface GrantResult {
  /** Whom the tokens are about. */
  readonly userId: string;
  /** The scope asked for; default: the form's `scope`. */
  readonly scope?: string;
  /** Ends up in `aud` of the access token, and of each that a refresh brings. */
  readonly audience?: readonly string[];
  /** `session`: a new durable user session and a refresh token; `transient`: only an access token. */
  readonly login: 'session' | 'transient';
  /** More claims of the access token, and of each that a refresh brings; they cannot replace the protocol's own. */
  readonly claims?: JsonObject;
  /** More members of the answer, such as `issued_token_type`. */
  readonly response?: JsonObject;
  /** Details of the event. */
  readonly details?: Readonly<Record<string, string>>;
}

export interface Grant {
  /** @throws OAuthError for anything that is refused. */
  authorize(request: GrantRequest): Promise<GrantResult>;
}

/** A value of `grant_type` at the token endpoint. The provider's id is that value. */
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
