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

/** In Keycloak they add nothing as long as a realm has no organizations, and each of its realms has one of them. */
const OF_ORGANIZATIONS = /^oidc-organization-/;

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

/**
 * What protocol mappers of a realm say without effect: those that no provider carries out, which are kept as another host's,
 * and options with which Keycloak's add nothing. Organizations are told with them: this host has none.
 */
export function mapperHints(realm: RealmRepresentation, providers: readonly ProviderSchema[]): SchemaProblem[] {
  const known = new Set(providers.filter(({ spi }) => spi === 'protocol-mapper').map(({ id }) => id));
  const found: SchemaProblem[] = [];
  const { organizationsEnabled: hasOrganizations } = realm as { readonly organizationsEnabled?: unknown };
  if (hasOrganizations === true) {
    const message = 'organizations are not supported: no user is a member of one, and tokens tell of none';
    found.push({ path: ['organizationsEnabled'], message });
  }
  for (const holder of ['clients', 'clientScopes'] as const) {
    for (const [index, { protocolMappers = [] }] of (realm[holder] ?? []).entries()) {
      for (const [at, mapper] of protocolMappers.entries()) {
        const { protocol = 'openid-connect', protocolMapper } = mapper;
        if (protocol !== 'openid-connect') continue;
        const path = [holder, index, 'protocolMappers', at];
        if (OF_ORGANIZATIONS.test(protocolMapper) && hasOrganizations !== true && !known.has(protocolMapper)) continue;
        if (known.has(protocolMapper)) found.push(...idleOptions(mapper, path));
        else {
          const message = `there is no protocol mapper "${protocolMapper}": it adds no claims to tokens`;
          found.push({ path: [...path, 'protocolMapper'], message });
        }
      }
    }
  }
  return found;
}

function idleOptions({ protocolMapper, config = {} }: ProtocolMapperRepresentation, path: JsonPath): SchemaProblem[] {
  const at = [...path, 'config'];
  const required = Object.hasOwn(REQUIRED, protocolMapper) ? (REQUIRED[protocolMapper] ?? []) : [];
  const missing = required.filter((option) => !config[option]);
  if (missing.length > 0) return [{ path: at, message: `the mapper does nothing without ${missing.join(' and ')}` }];
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

/** What a change of a realm has added of these; @param before undefined for a new realm */
export function newMapperHints(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  providers: readonly ProviderSchema[],
): string[] {
  const sentences = (realm: RealmRepresentation) =>
    mapperHints(realm, providers).map((hint) => `${nameOf(realm, hint)}: ${hint.message}`);
  const known = new Set(before === undefined ? [] : sentences(before));
  return sentences(after).filter((sentence) => !known.has(sentence));
}

/** Such as `clients web, mapper groups`: places in lists change with the lists. */
function nameOf(realm: RealmRepresentation, { path: [holder, index, , at] }: SchemaProblem): string {
  if (holder === 'organizationsEnabled') return holder;
  if (holder === 'clients') {
    const client = realm.clients?.[Number(index)];
    return `client ${client?.clientId}, mapper ${client?.protocolMappers?.[Number(at)]?.name}`;
  }
  const scope = realm.clientScopes?.[Number(index)];
  return `client scope ${scope?.name}, mapper ${scope?.protocolMappers?.[Number(at)]?.name}`;
}
