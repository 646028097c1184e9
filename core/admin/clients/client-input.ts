import { REALM_SCHEMA } from '../../config/realm-file/schema/realm-schema.js';
import type { ClientRepresentation, ImpersonationRepresentation } from '../../model/representation.js';
import { PROTOCOL_MAPPERS_SCHEMA, type ProtocolMapperInput } from '../mappers/protocol-mapper-input.js';
import { LOOSE_TEXTS, partialSchema, SHORT_TEXT } from '../partial-schema.js';

/** Maximum number of URLs of a client. A realm file may contain more. */
const ADDRESSES = { type: 'array', maxItems: 1000, items: { type: 'string', maxLength: 2000 } } as const;

const PROPERTIES = {
  ...REALM_SCHEMA.properties.clients.items.properties,
  id: { type: 'string', pattern: '^[A-Za-z0-9_-]{0,64}$', mustBe: '1 to 64 of A-Z a-z 0-9 _ -' },
  redirectUris: ADDRESSES,
  webOrigins: ADDRESSES,
  attributes: LOOSE_TEXTS,
  authenticationFlowBindingOverrides: LOOSE_TEXTS,
  protocolMappers: PROTOCOL_MAPPERS_SCHEMA,
};

export const CLIENT_SCHEMA = partialSchema({ properties: PROPERTIES });
/**
 * Schema of a client that registers itself. Its name and description are limited to the length of Keycloak's columns.
 */
export const REGISTRATION_SCHEMA = partialSchema({
  properties: { ...PROPERTIES, name: SHORT_TEXT, description: SHORT_TEXT },
});

/**
 * Maximum size of a request body with a client, in bytes. It is large enough that too many URLs are reported as such.
 */
export const CLIENT_BODY_LIMIT = 1024 * 1024;

/** Members that are copied unchanged. */
export const PLAIN_MEMBERS = [
  ...(['name', 'description', 'enabled', 'protocol', 'rootUrl', 'baseUrl', 'adminUrl'] as const),
  ...(['publicClient', 'bearerOnly', 'consentRequired', 'standardFlowEnabled', 'implicitFlowEnabled'] as const),
  ...(['directAccessGrantsEnabled', 'serviceAccountsEnabled', 'authorizationServicesEnabled'] as const),
  ...(['alwaysDisplayInConsole', 'surrogateAuthRequired', 'frontchannelLogout', 'clientAuthenticatorType'] as const),
  ...(['fullScopeAllowed', 'nodeReRegistrationTimeout', 'notBefore', 'redirectUris', 'webOrigins'] as const),
] as const satisfies readonly (keyof ClientRepresentation)[];

/** Members with their own rules. */
const OTHER_MEMBERS = [
  'secret',
  'attributes',
  'authenticationFlowBindingOverrides',
  'protocolMappers',
  'impersonation',
];

/** Members that a change of a client ignores. */
export const IGNORED_IN_UPDATE = ignoredMembersExcept(['clientId']);
/** Members that the creation of a client ignores. */
export const IGNORED_IN_CREATE = ignoredMembersExcept([
  'id',
  'clientId',
  'defaultClientScopes',
  'optionalClientScopes',
]);

function ignoredMembersExcept(used: readonly string[]): string[] {
  const usedMembers: readonly string[] = [...PLAIN_MEMBERS, ...OTHER_MEMBERS, ...used];
  return Object.keys(PROPERTIES).filter((name) => !usedMembers.includes(name));
}

type PlainMembers = Partial<Pick<ClientRepresentation, (typeof PLAIN_MEMBERS)[number]>>;

/** A client in a request. Null means absent. Members that this type lacks are ignored. */
export type ClientInput = { readonly [Key in keyof PlainMembers]?: PlainMembers[Key] | null } & {
  readonly id?: string | null;
  readonly clientId?: string | null;
  readonly secret?: string | null;
  readonly attributes?: Readonly<Record<string, unknown>> | null;
  readonly authenticationFlowBindingOverrides?: Readonly<Record<string, unknown>> | null;
  readonly protocolMappers?: readonly ProtocolMapperInput[] | null;
  readonly defaultClientScopes?: string[] | null;
  readonly optionalClientScopes?: string[] | null;
  readonly impersonation?: ImpersonationRepresentation | null;
};

/** The plain members that were sent. Empty entries of lists are removed. */
export function plainMembers(input: ClientInput): PlainMembers {
  return Object.fromEntries(
    PLAIN_MEMBERS.flatMap((key) => {
      const value = input[key];
      if (value === undefined || value === null) return [];
      return [[key, Array.isArray(value) ? value.filter((entry) => entry !== '') : value]];
    }),
  );
}
