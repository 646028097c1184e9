import type { Json, JsonObject, JsonSchema } from '../json-schema.js';
import { object, optional } from './answer-schemas.js';
import { checkDescribed, type Described } from './description.js';

/** The events of Keycloak's ClientPolicyEvent that Keyhost has. */
export const CLIENT_POLICY_EVENTS = [
  'REGISTER',
  'UPDATE',
  'PRE_AUTHORIZATION_REQUEST',
  'AUTHORIZATION_REQUEST',
  'TOKEN_REQUEST',
  'TOKEN_REFRESH',
  'SERVICE_ACCOUNT_TOKEN_REQUEST',
  'RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST',
  'TOKEN_EXCHANGE_REQUEST',
  'DEVICE_TOKEN_REQUEST',
  'TOKEN_REVOKE',
  'TOKEN_INTROSPECT',
  'LOGOUT_REQUEST',
  'USERINFO_REQUEST',
  'PUSHED_AUTHORIZATION_REQUEST',
  'DEVICE_AUTHORIZATION_REQUEST',
  'IDENTITY_BROKERING_API',
] as const;

export type ClientPolicyEvent = (typeof CLIENT_POLICY_EVENTS)[number];

/** A client in Keycloak's representation, without its secrets. */
export type PolicyClient = JsonObject &
  Readonly<{
    clientId: string;
    enabled: boolean;
    protocol: string;
    publicClient: boolean;
    bearerOnly: boolean;
    attributes: Readonly<Record<string, string>>;
  }>;

/** What a condition votes on, and an executor judges. `C` is the type of `settings`. */
export interface ClientPolicyInput<C = Readonly<Record<string, Json>>> {
  readonly event: ClientPolicyEvent;
  /** The `configuration` in the realm, in the types of `settings`, with their defaults. */
  readonly config: C;
  /** The client that asks. Of `REGISTER` and `UPDATE`: the client as it is going to be. */
  readonly client: PolicyClient;
  /** Of `UPDATE`: the client as it was. */
  readonly before?: PolicyClient;
  /** Of `REGISTER` and `UPDATE`: who creates or changes the client. */
  readonly updater?: Readonly<{
    context: 'ByAuthenticatedUser' | 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
    /** Names of the user's roles; empty for a token without a user. */
    roles: readonly string[];
    /** Names of the user's groups. */
    groups: readonly string[];
  }>;
  /**
   * The parameters of the request, each with its first value. Of secrets, such as `client_secret`, `password` and `code`, and of what
   * the client's authenticator reads, the value is `**********`. The grant of a plugin may have secrets of any name: of its parameters,
   * only those of OAuth that are no secrets have their values. Empty for `REGISTER`, `UPDATE`, `USERINFO_REQUEST` and
   * `IDENTITY_BROKERING_API`.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** Names of the scopes that are asked for, or that the tokens have, separated by blanks. */
  readonly scope?: string;
  /** Of authorization requests: where the answer goes. */
  readonly redirectUri?: string;
  /** Of `AUTHORIZATION_REQUEST`: the `acr` values that it asks for, or its client by default. */
  readonly acrValues?: readonly string[];
  /** Of `IDENTITY_BROKERING_API`: the alias of the identity provider whose tokens the client reads. */
  readonly identityProvider?: string;
  /** IP address that the request comes from. */
  readonly ip: string;
}

/** What conditions and executors declare. */
export interface ClientPolicyDeclaration extends Described {
  /** It is asked at these events only. */
  readonly events: readonly ClientPolicyEvent[];
}

/** What is wrong with the answer of an executor is told by this. */
export const CLIENT_POLICY_VERDICT = optional(
  object(
    {},
    {
      refuse: object({
        error: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
        // RFC 6749 §5.2: such a text can also be in a header.
        description: { type: 'string', pattern: '^[ !#-\\[\\]-~]{1,500}$' },
      }),
      effects: object(
        {},
        {
          endSecret: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
          lighten: { const: true },
          withholdRefreshToken: { const: true },
          narrowScope: { type: 'array', items: { type: 'string' } },
          chooseFlow: object({ alias: { type: 'string', minLength: 1 } }, { level: { type: 'integer', minimum: 0 } }),
        },
      ),
      client: object(
        {},
        {
          enabled: { const: false },
          consentRequired: { const: true },
          fullScopeAllowed: { const: false },
          standardFlowEnabled: { const: false },
          implicitFlowEnabled: { const: false },
          directAccessGrantsEnabled: { const: false },
          frontchannelLogout: { const: false },
          clientAuthenticatorType: { type: 'string', minLength: 1 },
          attributes: { type: 'object', additionalProperties: { type: 'string' } },
        },
      ),
    },
  ),
);

/** @throws Error when the declaration has the wrong shape */
export function checkClientPolicy(declaration: Readonly<Record<string, unknown>>): void {
  checkDescribed(declaration);
  const { events, settings = {} } = declaration as { readonly events?: unknown; readonly settings?: JsonSchema };
  if (!Array.isArray(events) || events.length === 0) throw new Error('events is required, and must be a list');
  const known: readonly unknown[] = CLIENT_POLICY_EVENTS;
  const unknown = events.find((event) => !known.includes(event));
  if (unknown !== undefined) {
    throw new Error(`events: there is no ${String(unknown)}; there are ${CLIENT_POLICY_EVENTS.join(', ')}`);
  }
  if (settings.additionalProperties !== undefined && settings.additionalProperties !== false) {
    throw new Error('settings.additionalProperties must be false: the host refuses what the properties do not name');
  }
  for (const [name, { format, writeOnly }] of Object.entries(settings.properties ?? {})) {
    if (format !== 'password' && writeOnly !== true) continue;
    throw new Error(`settings.properties.${name} must not be a secret: everybody who views the realm sees it`);
  }
}
