import type { JsonObject } from '@keyhost/spi';
import type { IdentityProvider, IdentityProviderMapper } from '../model/identity-provider.js';
import { Patterns } from '../model/patterns.js';
import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { wantedClaims } from '../model/wanted-claims.js';
import { grantRole, revokeRole } from './mapped-roles.js';
import { claimAt, textsOf } from './provider-claims.js';

/** When mappers run: for a new user, or for a user who has signed in before. */
export type MapperTrigger = 'import' | 'update';

interface Run {
  readonly realm: Realm;
  readonly draft: UserRepresentation;
  readonly config: Config;
  readonly claims: JsonObject;
  readonly patterns: Patterns;
  readonly isNew: boolean;
  /** For a user who has signed in before, if the mapper has its legacy behaviour. */
  readonly legacy: boolean;
}
type Mapper = (run: Run) => void;
type Config = Readonly<Record<string, string>>;

/** Members of a user that are not attributes. */
const MEMBERS = ['email', 'firstName', 'lastName'] as const;

const MAPPERS: Partial<Record<IdentityProviderMapper['kind'], Mapper>> = {
  'oidc-user-attribute-idp-mapper': ({ draft, config, claims }) => {
    const values = textsOf(claimAt(claims, config.claim ?? ''));
    setAttribute(draft, config['user.attribute'] ?? '', values);
  },
  'hardcoded-attribute-idp-mapper': ({ draft, config }) => {
    setAttribute(draft, config.attribute ?? '', [config['attribute.value'] ?? '']);
  },
  'oidc-hardcoded-role-idp-mapper': ({ realm, draft, config, legacy }) => {
    if (!legacy) grantRole(realm, draft, config.role);
  },
  'oidc-role-idp-mapper': ({ realm, draft, config, claims, legacy, isNew }) => {
    const has = textsOf(claimAt(claims, config.claim ?? '')).includes(config['claim.value'] ?? '');
    if (has && !legacy) grantRole(realm, draft, config.role);
    if (!has && !isNew) revokeRole(realm, draft, config.role);
  },
  'oidc-advanced-role-idp-mapper': ({ realm, draft, config, claims, patterns, legacy, isNew }) => {
    if (meets(claims, config, patterns)) {
      if (!legacy) grantRole(realm, draft, config.role);
    } else if (!isNew) revokeRole(realm, draft, config.role);
  },
  'oidc-advanced-group-idp-mapper': ({ realm, draft, config, claims, patterns, isNew }) => {
    const group = realm.groupPlace(config.group ?? '');
    const others = (draft.groups ?? []).filter((place) => place !== group);
    if (group !== undefined && meets(claims, config, patterns)) draft.groups = [...others, group];
    else if (!isNew) draft.groups = others;
  },
  'oidc-hardcoded-group-idp-mapper': ({ realm, draft, config }) => {
    const group = realm.groupPlace(config.group ?? '');
    if (group !== undefined) draft.groups = [...new Set([...(draft.groups ?? []), group])];
  },
};

/**
 * Applies the provider's mappers to a user by their sync modes: `IMPORT` for new users only, `FORCE` at every login,
 * `LEGACY` at every login if the mapper did so in old Keycloaks.
 * @throws HostError if their patterns are too expensive
 */
export function applyMappers(
  realm: Realm,
  provider: IdentityProvider,
  claims: JsonObject,
  draft: UserRepresentation,
  moment: MapperTrigger,
): void {
  const patterns = new Patterns(realm.name);
  for (const { kind, config, syncMode } of provider.mappers) {
    if (moment === 'update' && syncMode === 'IMPORT') continue;
    const isNew = moment === 'import';
    MAPPERS[kind]?.({ realm, draft, config, claims, patterns, isNew, legacy: !isNew && syncMode === 'LEGACY' });
  }
}

/** Session notes of `hardcoded-user-session-attribute-idp-mapper`. */
export function sessionNotes({ mappers }: IdentityProvider): Record<string, string> {
  return Object.fromEntries(
    mappers
      .filter(({ kind, config }) => kind === 'hardcoded-user-session-attribute-idp-mapper' && config.attribute)
      .map(({ config }) => [config.attribute ?? '', config['attribute.value'] ?? '']),
  );
}

/** Keycloak's names of members: `email`, `firstName`, `lastName`; anything else is an attribute. */
function setAttribute(draft: UserRepresentation, name: string, values: readonly string[]): void {
  const member = MEMBERS.find((one) => one.toLowerCase() === name.toLowerCase());
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
    const { [name]: _, ...others } = draft.attributes ?? {};
    draft.attributes = values.length === 0 ? others : { ...others, [name]: [...values] };
  }
}

/** Keycloak's advanced mappers: every claim in the list `claims` has its value; the values may be patterns. */
function meets(claims: JsonObject, config: Config, patterns: Patterns): boolean {
  const wanted = wantedClaims(config);
  if (wanted === undefined) return false;
  return wanted.claims.every(({ key, value }) => {
    const values = textsOf(claimAt(claims, key));
    if (!wanted.byPattern) return values.includes(value);
    return values.some((text) => patterns.matches(value, text) === true);
  });
}
