import type { Json, JsonObject, JsonSchema } from '../json-schema.js';
import { object, optional } from './answer-schemas.js';
import { checkDescribed, type Described } from './description.js';

/** The events of Keycloak's ClientPolicyEvent that Keyhost supports. */
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

/** An event at which client policies are evaluated. */
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

/** The input of a condition or an executor. `C` is the type of `settings`. */
export interface ClientPolicyInput<C = Readonly<Record<string, Json>>> {
  readonly event: ClientPolicyEvent;
  /** The `configuration` in the realm, in the types of `settings`, with their defaults. */
  readonly config: C;
  /** The client of the request. At `REGISTER` and `UPDATE`: the client as it will be stored. */
  readonly client: PolicyClient;
  /** The client before the change, at `UPDATE`. */
  readonly before?: PolicyClient;
  /** The caller that creates or changes the client, at `REGISTER` and `UPDATE`. */
  readonly updater?: Readonly<{
    context: 'ByAuthenticatedUser' | 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
    /** Names of the user's roles; empty for a token without a user. */
    roles: readonly string[];
    /** Names of the user's groups. */
    groups: readonly string[];
  }>;
  /**
   * The parameters of the request, each with its first value. Secrets, such as `client_secret`, `password`, `code` and
   * the parameters of the client's authenticator, have the value `**********`. For the grant of a plugin, whose secrets
   * can have any name, only OAuth's non-secret parameters have their values. Empty for `REGISTER`, `UPDATE`,
   * `USERINFO_REQUEST` and `IDENTITY_BROKERING_API`.
   */
  readonly parameters: Readonly<Record<string, string>>;
  /** Names of the scopes that are requested, or that the tokens have, separated by spaces. */
  readonly scope?: string;
  /** The redirect URI of an authorization request. */
  readonly redirectUri?: string;
  /** The `acr` values that an `AUTHORIZATION_REQUEST` asks for, or the client's defaults. */
  readonly acrValues?: readonly string[];
  /** The alias of the identity provider whose tokens the client reads, at `IDENTITY_BROKERING_API`. */
  readonly identityProvider?: string;
  /** The IP address of the sender. */
  readonly ip: string;
}

/** The declaration of a condition or an executor. */
export interface ClientPolicyDeclaration extends Described {
  /** The events at which it is called. */
  readonly events: readonly ClientPolicyEvent[];
}

/** The schema of an executor's answer. */
export const CLIENT_POLICY_VERDICT = optional(
  object(
    {},
    {
      refuse: object({
        error: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,63}$' },
        // RFC 6749 §5.2: this text can also be sent in a header.
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

/** @throws Error if the declaration has the wrong shape */
export function checkClientPolicy(declaration: Readonly<Record<string, unknown>>): void {
  checkDescribed(declaration);
  const { events, settings = {} } = declaration as { readonly events?: unknown; readonly settings?: JsonSchema };
  if (!Array.isArray(events) || events.length === 0) throw new Error('events is required, and must be a list');
  const knownEvents: readonly unknown[] = CLIENT_POLICY_EVENTS;
  const unknownEvent = events.find((event) => !knownEvents.includes(event));
  if (unknownEvent !== undefined) {
    throw new Error(`events: there is no ${String(unknownEvent)}; there are ${CLIENT_POLICY_EVENTS.join(', ')}`);
  }
  if (settings.additionalProperties !== undefined && settings.additionalProperties !== false) {
    throw new Error('settings.additionalProperties must be false: the host refuses what the properties do not name');
  }
  for (const [name, { format, writeOnly }] of Object.entries(settings.properties ?? {})) {
    if (format !== 'password' && writeOnly !== true) continue;
    throw new Error(`settings.properties.${name} must not be a secret: everybody who views the realm sees it`);
  }
}
