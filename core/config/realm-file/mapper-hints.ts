import { appliesToTokens } from '../../model/client-scope.js';
import type {
  ClientRepresentation,
  ProtocolMapperRepresentation,
  RealmRepresentation,
} from '../../model/representation.js';
import { claimValue } from '../json/claim-values.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import type { ProviderSchema } from './provider-checks.js';

/** Keycloak's names for the fields of a user that the property mapper can read. */
export const USER_PROPERTIES = [
  'id',
  'username',
  'email',
  'emailVerified',
  'firstName',
  'lastName',
  'enabled',
  'createdTimestamp',
  'serviceAccountClientLink',
] as const;
/** A property that no user of Keyhost has. */
const FEDERATION_LINK = 'federationLink';
const KNOWN_PROPERTIES: ReadonlySet<string> = new Set([...USER_PROPERTIES, FEDERATION_LINK]);

const CLAIM_NAME = 'claim.name';
/** Options without which Keycloak's mappers do nothing. */
const REQUIRED_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'oidc-claims-param-value-idtoken-mapper': [CLAIM_NAME],
  'oidc-group-membership-mapper': [CLAIM_NAME],
  'oidc-hardcoded-claim-mapper': [CLAIM_NAME, 'claim.value'],
  'oidc-hardcoded-role-mapper': ['role'],
  'oidc-role-name-mapper': ['role', 'new.role.name'],
  'oidc-usermodel-attribute-mapper': [CLAIM_NAME, 'user.attribute'],
  'oidc-usermodel-client-role-mapper': [CLAIM_NAME],
  'oidc-usermodel-property-mapper': [CLAIM_NAME, 'user.attribute'],
  'oidc-usermodel-realm-role-mapper': [CLAIM_NAME],
  'oidc-usersessionmodel-note-mapper': [CLAIM_NAME, 'user.session.note'],
};

/** A hint about one option of a mapper, or, without `option`, about missing ones. */
interface MapperHint {
  readonly option?: string;
  readonly message: string;
}

/** A hint at its path, with the name of the mapper for the log, such as `client web, mapper groups`. */
interface Hint extends SchemaProblem {
  readonly owner: string;
}

/** Finds options with which Keycloak's protocol mappers add nothing. @param providers the providers of this host */
export function mapperHints(realm: RealmRepresentation, providers: readonly ProviderSchema[]): readonly Hint[] {
  const mapperIds = new Set(providers.filter(({ spi }) => spi === 'protocol-mapper').map(({ id }) => id));
  const { clients = [], clientScopes = [] } = realm;
  const hints: Hint[] = [];
  // Realms have thousands of mappers and few hints, so paths and names are computed for hints only.
  const addHints = ({ protocolMappers = [] }: MapperHolder, holderPath: JsonPath, owner: () => string) => {
    for (const [mapperIndex, mapper] of protocolMappers.entries()) {
      const hint =
        appliesToTokens(mapper) && mapperIds.has(mapper.protocolMapper) ? ineffectiveOption(mapper) : undefined;
      if (hint === undefined) continue;
      const { option, message } = hint;
      const path = [...holderPath, 'protocolMappers', mapperIndex, 'config', ...(option === undefined ? [] : [option])];
      hints.push({ path, message, owner: `${owner()}, mapper ${mapper.name}` });
    }
  };
  for (const [index, client] of clients.entries())
    addHints(client, ['clients', index], () => `client ${client.clientId}`);
  for (const [index, scope] of clientScopes.entries()) {
    addHints(scope, ['clientScopes', index], () => `client scope ${scope.name}`);
  }
  return hints;
}

type MapperHolder = Pick<ClientRepresentation, 'protocolMappers'>;

function ineffectiveOption({ protocolMapper, config = {} }: ProtocolMapperRepresentation): MapperHint | undefined {
  const required = Object.hasOwn(REQUIRED_OPTIONS, protocolMapper) ? (REQUIRED_OPTIONS[protocolMapper] ?? []) : [];
  if (!required.every((option) => config[option])) {
    const missing = required.filter((option) => !config[option]);
    return { message: `the mapper has no effect without ${missing.join(' and ')}` };
  }
  const { 'claim.value': value, 'jsonType.label': type, 'user.attribute': property = '' } = config;
  if (protocolMapper === 'oidc-hardcoded-claim-mapper') {
    if (value === undefined || claimValue(type, value) !== undefined) return undefined;
    return { option: 'claim.value', message: `is no ${type}: tokens go without the claim` };
  }
  if (protocolMapper !== 'oidc-usermodel-property-mapper') return undefined;
  if (KNOWN_PROPERTIES.has(property.slice(0, 1).toLowerCase() + property.slice(1))) return undefined;
  return { option: 'user.attribute', message: `users have no property "${property}": tokens go without the claim` };
}

/** The hints as sentences for the log. They name the mapper instead of its path, since list indexes change. */
export function mapperSentences(realm: RealmRepresentation, providers: readonly ProviderSchema[]): string[] {
  return mapperHints(realm, providers).map(({ owner, message }) => `${owner}: ${message}`);
}
