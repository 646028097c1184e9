import type { ClientRepresentation, RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import { USER_PROFILE_PATH, userProfileOf, userProfileProblem } from '../../model/user-profile.js';
import type { IgnoredMember } from '../ignored-members.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import { KEYCLOAK_SETTINGS } from './keycloak-settings.js';
import type { IgnoredSetting } from './setting-state.js';

type Values = Readonly<Record<string, unknown>>;
/**
 * Examines the settings of one owner: its kind in the ledger, its name in a sentence, and its path within JSON in a
 * string.
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
const KEYS = 'org.keycloak.keys.KeyProvider';
/** The headers that Keycloak sends by default, in lower case. */
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
 * Settings of a realm that Keyhost stores without effect. `unsupportedProtections` has those that promise protection.
 */
export function ignoredSettings(realm: RealmRepresentation): SchemaProblem[] {
  return [...findIgnored(realm).others, ...ignoredHeaders(realm)];
}

/**
 * Protections that a realm sets and Keyhost does not implement. Production rejects the realm, since someone may rely on
 * them; other modes warn.
 */
export function unsupportedProtections(realm: RealmRepresentation): SchemaProblem[] {
  return findIgnored(realm).promises;
}

/** Both, with sentences for the log. */
export function allIgnoredSettings(realm: RealmRepresentation): IgnoredMember[] {
  const { promises, others } = findIgnored(realm);
  return [...promises, ...others, ...ignoredHeaders(realm)].map((one) => ({ ...one, sentence: sentenceOf(one) }));
}

/** The same as sentences for the log. */
export function unsupportedProtectionSentences(realm: RealmRepresentation): string[] {
  return unsupportedProtections(realm).map(sentenceOf);
}

/**
 * The names of all settings without effect. Realm files are read again once one of them gets an effect or is added to
 * the list.
 */
export const IGNORED_SETTING_NAMES: readonly string[] = Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, states]) =>
  Object.entries(states).flatMap(([name, { state }]) => (state === 'ignored' ? [`${kind} ${name}`] : [])),
);

/** A sentence for the log. */
export const sentenceOf = ({ path, message }: SchemaProblem) => `${path.at(-1)} ${message}`;

/** The settings with a warning of their own, by kind: edits of realms with many clients examine all of them. */
const IGNORED_BY_KIND: ReadonlyMap<string, readonly (readonly [name: string, state: IgnoredSetting])[]> = new Map(
  Object.entries(KEYCLOAK_SETTINGS).flatMap(([kind, states]) => {
    const ignored = Object.entries(states).flatMap(([name, state]) =>
      state.state === 'ignored' && !state.isWholeOwner ? [[name, state] as const] : [],
    );
    return ignored.length === 0 ? [] : [[kind, ignored] as const];
  }),
);

type IgnoredFinding = SchemaProblem & Pick<IgnoredMember, 'inner'>;

interface Found {
  readonly promises: IgnoredFinding[];
  readonly others: IgnoredFinding[];
}

function findIgnored(realm: RealmRepresentation): Found {
  const found: Found = { promises: [], others: [] };
  visitOwners(realm, (kind, values, path, owner, inner) => {
    if (values === undefined) return;
    for (const [name, state] of IGNORED_BY_KIND.get(kind) ?? []) {
      const value = (values as Values)[name];
      if (value === undefined || !asksForEffect(state, value)) continue;
      const { isProtection, sentence } = state;
      const message = isProtection
        ? `is not supported, but ${owner} relies on it: ${sentence}`
        : `has no effect on ${owner}: ${sentence}`;
      const isValidator = kind.startsWith(VALIDATOR);
      found[isProtection ? 'promises' : 'others'].push(
        isValidator
          ? {
              path,
              inner: inner && [...inner, name],
              message: `"${name}" of "${kind.slice(VALIDATOR.length)}" ${message}`,
            }
          : { path: [...path, name], message },
      );
    }
  });
  return found;
}

const VALIDATOR = 'Validator ';

/** True for a value that asks for an effect. */
function asksForEffect({ exceptValues, isComputedList }: IgnoredSetting, value: unknown): boolean {
  if (isComputedList && Array.isArray(value)) return false;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  // If true asks for no effect, false asks for one.
  if (text === 'false') return exceptValues.includes('true');
  return !EMPTY_VALUES.includes(text) && !exceptValues.includes(text);
}

/** Finds headers in Keycloak's map that differ from Keycloak's own defaults. */
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
    mappers(client, path, visitSettings);
  }
  for (const [index, scope] of (realm.clientScopes ?? []).entries()) {
    visitSettings(
      'client scope attribute',
      scope.attributes,
      ['clientScopes', index, 'attributes'],
      `scope ${scope.name}`,
    );
    mappers(scope, ['clientScopes', index], visitSettings);
  }
  visitRoles(realm.roles?.realm, ['roles', 'realm'], visitSettings);
  for (const [client, clientRoles] of Object.entries(realm.roles?.client ?? {})) {
    visitRoles(clientRoles, ['roles', 'client', client], visitSettings);
  }
  identityProviders(realm, visitSettings);
  visitFlows(realm, visitSettings);
  for (const [index, { providerId, config = {} }] of (realm.components?.[KEYS] ?? []).entries()) {
    const values = Object.fromEntries(Object.entries(config).map(([name, list]) => [name, list?.[0]]));
    visitSettings(
      `KeyProvider ${providerId}`,
      values,
      ['components', KEYS, index, 'config'],
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

function mappers(
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
  some: readonly RoleRepresentation[] | undefined,
  path: JsonPath,
  visitSettings: VisitSettings,
): void {
  for (const [index, role] of (some ?? []).entries())
    visitSettings('Role', role, [...path, index], `role ${role.name}`);
}

function identityProviders(
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
  // The checks of profiles report an invalid profile.
  if (realm.components === undefined || userProfileProblem(realm) !== undefined) return;
  for (const [index, { name, validations }] of userProfileOf(realm).attributes.entries()) {
    for (const [id, values] of Object.entries(validations ?? {})) {
      const inner = ['attributes', index, 'validations', id];
      visitSettings(`${VALIDATOR}${id}`, values ?? undefined, USER_PROFILE_PATH, `attribute ${name}`, inner);
    }
  }
}
