import type { JsonObject } from '@keyhost/spi';
import type { IdentityProvider, IdentityProviderMapper } from '../model/identity-provider.js';
import { Patterns } from '../model/patterns.js';
import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { parseRequiredClaims } from '../model/wanted-claims.js';
import { grantRole, revokeRole } from './grant-mapped-role.js';
import { claimAt, textsOf } from './provider-claims.js';

/** When mappers run: for a new user, or for a user who has signed in before. */
export type MapperTrigger = 'import' | 'update';

interface MapperRun {
  readonly realm: Realm;
  readonly draft: UserRepresentation;
  readonly config: Config;
  readonly claims: JsonObject;
  readonly patterns: Patterns;
  readonly isNew: boolean;
  /** True if the mapper must behave as in older versions of Keycloak, for a user who has signed in before. */
  readonly isLegacy: boolean;
}
type Mapper = (run: MapperRun) => void;
type Config = Readonly<Record<string, string>>;

/** Members of a user that a mapper may set like attributes. */
const USER_MEMBERS = ['email', 'firstName', 'lastName'] as const;

const MAPPERS: Partial<Record<IdentityProviderMapper['kind'], Mapper>> = {
  'oidc-user-attribute-idp-mapper': ({ draft, config, claims }) => {
    const values = textsOf(claimAt(claims, config.claim ?? ''));
    setAttribute(draft, config['user.attribute'] ?? '', values);
  },
  'hardcoded-attribute-idp-mapper': ({ draft, config }) => {
    setAttribute(draft, config.attribute ?? '', [config['attribute.value'] ?? '']);
  },
  'oidc-hardcoded-role-idp-mapper': ({ realm, draft, config, isLegacy }) => {
    if (!isLegacy) grantRole(realm, draft, config.role);
  },
  'oidc-role-idp-mapper': ({ realm, draft, config, claims, isLegacy, isNew }) => {
    const hasValue = textsOf(claimAt(claims, config.claim ?? '')).includes(config['claim.value'] ?? '');
    if (hasValue && !isLegacy) grantRole(realm, draft, config.role);
    if (!hasValue && !isNew) revokeRole(realm, draft, config.role);
  },
  'oidc-advanced-role-idp-mapper': ({ realm, draft, config, claims, patterns, isLegacy, isNew }) => {
    if (matchesClaims(claims, config, patterns)) {
      if (!isLegacy) grantRole(realm, draft, config.role);
    } else if (!isNew) revokeRole(realm, draft, config.role);
  },
  'oidc-advanced-group-idp-mapper': ({ realm, draft, config, claims, patterns, isNew }) => {
    const group = realm.findGroupPath(config.group ?? '');
    const otherGroups = (draft.groups ?? []).filter((path) => path !== group);
    if (group !== undefined && matchesClaims(claims, config, patterns)) draft.groups = [...otherGroups, group];
    else if (!isNew) draft.groups = otherGroups;
  },
  'oidc-hardcoded-group-idp-mapper': ({ realm, draft, config }) => {
    const group = realm.findGroupPath(config.group ?? '');
    if (group !== undefined) draft.groups = [...new Set([...(draft.groups ?? []), group])];
  },
};

/**
 * Applies the provider's mappers to a user by their sync modes. `IMPORT` mappers run for new users only. `FORCE`
 * mappers run at every login. `LEGACY` mappers run at every login if they did so in older versions of Keycloak.
 * @throws HostError if their patterns are too expensive
 */
export function applyMappers(
  realm: Realm,
  provider: IdentityProvider,
  claims: JsonObject,
  draft: UserRepresentation,
  trigger: MapperTrigger,
): void {
  const patterns = new Patterns(realm.name);
  for (const { kind, config, syncMode } of provider.mappers) {
    if (trigger === 'update' && syncMode === 'IMPORT') continue;
    const isNew = trigger === 'import';
    MAPPERS[kind]?.({ realm, draft, config, claims, patterns, isNew, isLegacy: !isNew && syncMode === 'LEGACY' });
  }
}

/** The session notes that `hardcoded-user-session-attribute-idp-mapper` sets. */
export function sessionNotes({ mappers }: IdentityProvider): Record<string, string> {
  return Object.fromEntries(
    mappers
      .filter(({ kind, config }) => kind === 'hardcoded-user-session-attribute-idp-mapper' && config.attribute)
      .map(({ config }) => [config.attribute ?? '', config['attribute.value'] ?? '']),
  );
}

/**
 * Sets a member or an attribute of the user. Keycloak's names of members are `email`, `firstName` and `lastName`, in
 * any case.
 */
function setAttribute(draft: UserRepresentation, name: string, values: readonly string[]): void {
  const member = USER_MEMBERS.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  const [value] = values;
  // Attribute mappers must not change the identity of a user.
  if (name === '' || name === 'username' || name === 'id') return;
  if (member === 'email') {
    // An email other than the account's own is unverified.
    if (value === undefined || value.toLowerCase() === draft.email?.toLowerCase()) return;
    draft.email = value.toLowerCase();
    draft.emailVerified = false;
  } else if (member !== undefined) {
    if (value !== undefined) draft[member] = value;
  } else {
    const { [name]: _, ...remaining } = draft.attributes ?? {};
    draft.attributes = values.length === 0 ? remaining : { ...remaining, [name]: [...values] };
  }
}

/**
 * The condition of Keycloak's advanced mappers: every claim in the list `claims` has its value. The values may be
 * patterns.
 */
function matchesClaims(claims: JsonObject, config: Config, patterns: Patterns): boolean {
  const condition = parseRequiredClaims(config);
  if (condition === undefined) return false;
  return condition.claims.every(({ key, value }) => {
    const values = textsOf(claimAt(claims, key));
    if (!condition.byPattern) return values.includes(value);
    return values.some((text) => patterns.matches(value, text) === true);
  });
}
