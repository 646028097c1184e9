import type { ClientRepresentation, RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import { USER_PROFILE_PATH, userProfileOf, userProfileProblem } from '../../model/user-profile.js';
import type { IgnoredMember } from '../ignored-members.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import { KEYCLOAK_SETTINGS } from './keycloak-settings.js';
import type { IgnoredSetting } from './setting-state.js';

type Values = Readonly<Record<string, unknown>>;
/**
 * Examines the settings of one object of a realm. `kind` is a key of `KEYCLOAK_SETTINGS`, and `owner` the object's name
 * in a sentence. If the value at `path` is JSON in a string, `inner` is the object's path in that JSON.
 */
type VisitSettings = (
  kind: string,
  values: object | undefined,
  path: JsonPath,
  owner: string,
  inner?: JsonPath,
) => void;

/** Keycloak's words for “none”. */
const EMPTY_VALUES = ['', '0', 'any', 'not required', 'none', '[]', '{}', 'null'];
const KEY_COMPONENT = 'org.keycloak.keys.KeyProvider';
/** The entries of `browserSecurityHeaders` that Keycloak sets by default. */
const KEYCLOAK_DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
  referrerPolicy: 'no-referrer',
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  xContentTypeOptions: 'nosniff',
  xFrameOptions: 'SAMEORIGIN',
  xRobotsTag: 'none',
  // Removed in Keycloak 25.
  xXSSProtection: '1; mode=block',
};

/**
 * Settings of a realm that Keyhost stores without effect, except those that promise protection: see
 * `unsupportedProtections`.
 */
export function ignoredSettings(realm: RealmRepresentation): SchemaProblem[] {
  return [...findIgnored(realm).others, ...ignoredHeaders(realm)];
}

/**
 * Protections that a realm sets and Keyhost does not implement. Production rejects the realm, since someone may rely on
 * them; other modes warn.
 */
export function unsupportedProtections(realm: RealmRepresentation): SchemaProblem[] {
  return findIgnored(realm).protections;
}

/** All settings without effect, protections included, with sentences for the log. */
export function allIgnoredSettings(realm: RealmRepresentation): IgnoredMember[] {
  const { protections, others } = findIgnored(realm);
  return [...protections, ...others, ...ignoredHeaders(realm)].map((one) => ({ ...one, sentence: sentenceOf(one) }));
}

/** Describes the result of `unsupportedProtections` in sentences for the log. */
export function unsupportedProtectionSentences(realm: RealmRepresentation): string[] {
  return unsupportedProtections(realm).map(sentenceOf);
}

/**
 * The names of all settings without effect. A start reads unchanged realm files again if this list differs from that of
 * the previous start.
 */
export const IGNORED_SETTING_NAMES: readonly string[] = Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, states]) =>
  Object.entries(states).flatMap(([name, { state }]) => (state === 'ignored' ? [`${kind} ${name}`] : [])),
);

/** A sentence for the log. */
export const sentenceOf = ({ path, message }: SchemaProblem) => `${path.at(-1)} ${message}`;

/**
 * The ignored settings that are reported one by one, by kind of owner. A map, since each edit of a realm examines every
 * client.
 */
const IGNORED_BY_KIND: ReadonlyMap<string, readonly (readonly [name: string, state: IgnoredSetting])[]> = new Map(
  Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, states]) => {
    const ignored = Object.entries(states).flatMap(([name, state]) =>
      state.state === 'ignored' && !state.isWholeOwner ? [[name, state] as const] : [],
    );
    return ignored.length === 0 ? [] : [[kind, ignored] as const];
  }),
);

type IgnoredFinding = SchemaProblem & Pick<IgnoredMember, 'inner'>;

interface IgnoredFindings {
  readonly protections: IgnoredFinding[];
  readonly others: IgnoredFinding[];
}

function findIgnored(realm: RealmRepresentation): IgnoredFindings {
  const found: IgnoredFindings = { protections: [], others: [] };
  visitOwners(realm, (kind, values, path, owner, inner) => {
    if (values === undefined) return;
    for (const [name, state] of IGNORED_BY_KIND.get(kind) ?? []) {
      const value = (values as Values)[name];
      if (value === undefined || !asksForEffect(state, value)) continue;
      const { isProtection, sentence } = state;
      const message = isProtection
        ? `is not supported, but ${owner} relies on it: ${sentence}`
        : `has no effect on ${owner}: ${sentence}`;
      const isValidator = kind.startsWith(VALIDATOR_PREFIX);
      found[isProtection ? 'protections' : 'others'].push(
        isValidator
          ? {
              path,
              inner: inner && [...inner, name],
              message: `"${name}" of "${kind.slice(VALIDATOR_PREFIX.length)}" ${message}`,
            }
          : { path: [...path, name], message },
      );
    }
  });
  return found;
}

const VALIDATOR_PREFIX = 'Validator ';

/** True if the setting would have an effect in Keycloak with this value. */
function asksForEffect({ exceptValues, isComputedList }: IgnoredSetting, value: unknown): boolean {
  if (isComputedList && Array.isArray(value)) return false;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  // If true asks for no effect, false asks for one.
  if (text === 'false') return exceptValues.includes('true');
  return !EMPTY_VALUES.includes(text) && !exceptValues.includes(text);
}

/** Finds entries of `browserSecurityHeaders` that differ from Keycloak's defaults. */
function ignoredHeaders({ browserSecurityHeaders }: RealmRepresentation): SchemaProblem[] {
  if (typeof browserSecurityHeaders !== 'object' || browserSecurityHeaders === null) return [];
  return Object.entries(browserSecurityHeaders).flatMap(([name, value]) => {
    const isDefault = String(value ?? '').toLowerCase() === KEYCLOAK_DEFAULT_HEADERS[name]?.toLowerCase();
    if (isDefault || String(value ?? '') === '') return [];
    const message = 'has no effect on the realm: Keyhost sends its own security headers';
    return [{ path: ['browserSecurityHeaders', name], message }];
  });
}

function visitOwners(realm: RealmRepresentation, visitSettings: VisitSettings): void {
  const { browserSecurityHeaders: _, ...members } = realm;
  visitSettings('Realm', members, [], 'the realm');
  visitSettings('realm attribute', realm.attributes, ['attributes'], 'the realm');
  for (const [index, client] of (realm.clients ?? []).entries()) {
    const path = ['clients', index];
    const owner = `client ${client.clientId}`;
    visitSettings('Client', client, path, owner);
    visitSettings('client attribute', client.attributes, [...path, 'attributes'], owner);
    visitMappers(client, path, visitSettings);
  }
  for (const [index, scope] of (realm.clientScopes ?? []).entries()) {
    visitSettings(
      'client scope attribute',
      scope.attributes,
      ['clientScopes', index, 'attributes'],
      `scope ${scope.name}`,
    );
    visitMappers(scope, ['clientScopes', index], visitSettings);
  }
  visitRoles(realm.roles?.realm, ['roles', 'realm'], visitSettings);
  for (const [client, clientRoles] of Object.entries(realm.roles?.client ?? {})) {
    visitRoles(clientRoles, ['roles', 'client', client], visitSettings);
  }
  visitIdentityProviders(realm, visitSettings);
  visitFlows(realm, visitSettings);
  for (const [index, { providerId, config = {} }] of (realm.components?.[KEY_COMPONENT] ?? []).entries()) {
    const values = Object.fromEntries(Object.entries(config).map(([name, list]) => [name, list?.[0]]));
    visitSettings(
      `KeyProvider ${providerId}`,
      values,
      ['components', KEY_COMPONENT, index, 'config'],
      `key provider ${providerId}`,
    );
  }
  for (const [index, user] of (realm.users ?? []).entries()) {
    const path = ['users', index];
    visitSettings('User', user, path, `user ${user.username}`);
    for (const [consentIndex, consent] of (user.clientConsents ?? []).entries()) {
      visitSettings('UserConsent', consent, [...path, 'clientConsents', consentIndex], `user ${user.username}`);
    }
    for (const [credentialIndex, credential] of (user.credentials ?? []).entries()) {
      visitSettings('Credential', credential, [...path, 'credentials', credentialIndex], `user ${user.username}`);
    }
  }
  visitPolicies(realm, visitSettings);
  visitValidators(realm, visitSettings);
}

function visitMappers(
  { protocolMappers = [] }: Pick<ClientRepresentation, 'protocolMappers'>,
  path: JsonPath,
  visitSettings: VisitSettings,
) {
  for (const [index, mapper] of protocolMappers.entries()) {
    const mapperPath = [...path, 'protocolMappers', index];
    visitSettings('ProtocolMapper', mapper, mapperPath, `mapper ${mapper.name}`);
    visitSettings(
      `ProtocolMapper ${mapper.protocolMapper}`,
      mapper.config,
      [...mapperPath, 'config'],
      `mapper ${mapper.name}`,
    );
  }
}

function visitRoles(
  roles: readonly RoleRepresentation[] | undefined,
  path: JsonPath,
  visitSettings: VisitSettings,
): void {
  for (const [index, role] of (roles ?? []).entries())
    visitSettings('Role', role, [...path, index], `role ${role.name}`);
}

function visitIdentityProviders(
  { identityProviders = [], identityProviderMappers = [] }: RealmRepresentation,
  visitSettings: VisitSettings,
) {
  for (const [index, provider] of identityProviders.entries()) {
    const path = ['identityProviders', index];
    const owner = `identity provider ${provider.alias}`;
    visitSettings('IdentityProvider', provider, path, owner);
    visitSettings('identity provider config', provider.config, [...path, 'config'], owner);
  }
  for (const [index, { name, identityProviderMapper, config }] of identityProviderMappers.entries()) {
    const path = ['identityProviderMappers', index, 'config'];
    visitSettings(`IdentityProviderMapper ${identityProviderMapper}`, config, path, `mapper ${name}`);
  }
}

function visitFlows(realm: RealmRepresentation, visitSettings: VisitSettings): void {
  const configs = realm.authenticatorConfig ?? [];
  for (const [index, { alias, authenticationExecutions = [] }] of (realm.authenticationFlows ?? []).entries()) {
    for (const [executionIndex, execution] of authenticationExecutions.entries()) {
      const path = ['authenticationFlows', index, 'authenticationExecutions', executionIndex];
      visitSettings('AuthenticationExecutionExport', execution, path, `flow ${alias}`);
      const { authenticator, authenticatorConfig: named } = execution;
      const config = configs.findIndex((one) => one.alias === named);
      if (authenticator === undefined || config < 0) continue;
      const values = configs[config]?.config;
      for (const kind of [`Authenticator ${authenticator}`, `FormAction ${authenticator}`]) {
        visitSettings(kind, values, ['authenticatorConfig', config, 'config'], `flow ${alias}`);
      }
    }
  }
}

function visitPolicies({ clientPolicies, clientProfiles }: RealmRepresentation, visitSettings: VisitSettings): void {
  for (const [index, { name, conditions = [] }] of (clientPolicies?.policies ?? []).entries()) {
    for (const [conditionIndex, { condition, configuration }] of conditions.entries()) {
      const path = ['clientPolicies', 'policies', index, 'conditions', conditionIndex, 'configuration'];
      visitSettings(`ClientPolicyConditionProvider ${condition}`, configuration, path, `client policy ${name}`);
    }
  }
  for (const [index, { name, executors = [] }] of (clientProfiles?.profiles ?? []).entries()) {
    for (const [executorIndex, { executor, configuration }] of executors.entries()) {
      const path = ['clientProfiles', 'profiles', index, 'executors', executorIndex, 'configuration'];
      visitSettings(`ClientPolicyExecutorProvider ${executor}`, configuration, path, `client profile ${name}`);
    }
  }
}

/** The profile is JSON in a string, so its settings have the position of that string. */
function visitValidators(realm: RealmRepresentation, visitSettings: VisitSettings): void {
  // `userProfileProblem` is reported by another check.
  if (realm.components === undefined || userProfileProblem(realm) !== undefined) return;
  for (const [index, { name, validations }] of userProfileOf(realm).attributes.entries()) {
    for (const [id, values] of Object.entries(validations ?? {})) {
      const inner = ['attributes', index, 'validations', id];
      visitSettings(`${VALIDATOR_PREFIX}${id}`, values ?? undefined, USER_PROFILE_PATH, `attribute ${name}`, inner);
    }
  }
}
