import type { ProtocolMapperRepresentation, RealmRepresentation } from '../../model/representation.js';
import { claimValue } from '../json/claim-values.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import type { ProviderSchema } from './provider-checks.js';

/** What users have besides attributes, by Keycloak's names, for its mapper of properties. */
export const USER_PROPERTIES = [
  ...['id', 'username', 'email', 'emailVerified', 'firstName', 'lastName', 'enabled', 'createdTimestamp'],
  'serviceAccountClientLink',
] as const;
/** A property that no user has here. */
const OF_FEDERATED = 'federationLink';

const CLAIM = 'claim.name';
/** What Keycloak's mappers do nothing without. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'oidc-claims-param-value-idtoken-mapper': [CLAIM],
  'oidc-group-membership-mapper': [CLAIM],
  'oidc-hardcoded-claim-mapper': [CLAIM, 'claim.value'],
  'oidc-hardcoded-role-mapper': ['role'],
  'oidc-role-name-mapper': ['role', 'new.role.name'],
  'oidc-usermodel-attribute-mapper': [CLAIM, 'user.attribute'],
  'oidc-usermodel-client-role-mapper': [CLAIM],
  'oidc-usermodel-property-mapper': [CLAIM, 'user.attribute'],
  'oidc-usermodel-realm-role-mapper': [CLAIM],
  'oidc-usersessionmodel-note-mapper': [CLAIM, 'user.session.note'],
};

/** Options with which Keycloak's protocol mappers add nothing. @param providers what this host has */
export function mapperHints(realm: RealmRepresentation, providers: readonly ProviderSchema[]): SchemaProblem[] {
  const known = new Set(providers.filter(({ spi }) => spi === 'protocol-mapper').map(({ id }) => id));
  return (['clients', 'clientScopes'] as const).flatMap((holder) =>
    (realm[holder] ?? []).flatMap(({ protocolMappers = [] }, index) =>
      protocolMappers.flatMap((mapper, at) => {
        const isOurs = (mapper.protocol ?? 'openid-connect') === 'openid-connect' && known.has(mapper.protocolMapper);
        return isOurs ? idleOptions(mapper, [holder, index, 'protocolMappers', at]) : [];
      }),
    ),
  );
}

function idleOptions({ protocolMapper, config = {} }: ProtocolMapperRepresentation, path: JsonPath): SchemaProblem[] {
  const at = [...path, 'config'];
  const required = Object.hasOwn(REQUIRED, protocolMapper) ? (REQUIRED[protocolMapper] ?? []) : [];
  const missing = required.filter((option) => !config[option]);
  if (missing.length > 0) return [{ path: at, message: `the mapper has no effect without ${missing.join(' and ')}` }];
  const { 'claim.value': value, 'jsonType.label': type, 'user.attribute': property = '' } = config;
  if (
    protocolMapper === 'oidc-hardcoded-claim-mapper' &&
    value !== undefined &&
    claimValue(type, value) === undefined
  ) {
    return [{ path: [...at, 'claim.value'], message: `is no ${type}: tokens go without the claim` }];
  }
  const member = property.slice(0, 1).toLowerCase() + property.slice(1);
  const isKnown = [...USER_PROPERTIES, OF_FEDERATED].some((one) => one === member);
  if (protocolMapper === 'oidc-usermodel-property-mapper' && !isKnown) {
    return [
      { path: [...at, 'user.attribute'], message: `users have no property "${property}": tokens go without the claim` },
    ];
  }
  return [];
}

/** The same as sentences for the log, each with its mapper: places in lists change with the lists. */
export function mapperSentences(realm: RealmRepresentation, providers: readonly ProviderSchema[]): string[] {
  return mapperHints(realm, providers).map((hint) => `${nameOf(realm, hint)}: ${hint.message}`);
}

/** Such as `client web, mapper groups`. */
function nameOf(realm: RealmRepresentation, { path: [holder, index, , at] }: SchemaProblem): string {
  if (holder === 'clients') {
    const client = realm.clients?.[Number(index)];
    return `client ${client?.clientId}, mapper ${client?.protocolMappers?.[Number(at)]?.name}`;
  }
  const scope = realm.clientScopes?.[Number(index)];
  return `client scope ${scope?.name}, mapper ${scope?.protocolMappers?.[Number(at)]?.name}`;
}
