import { Patterns } from '../../model/patterns.js';
import { profileOf } from '../../model/profile-of-realm.js';
import { DEFAULT_PROFILE, setUserProfile, type UserProfile } from '../../model/user-profile.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { validatorMistakes } from '../../realms/validator-checks.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { HostPlugins } from '../../registry/host-plugins.js';
import { openedProviders } from '../../registry/loading/known-providers.js';
import { defaultProblem } from '../../users/profile/default-values.js';
import { profileProblem } from '../../users/profile/profile-problems.js';
import type { Users } from '../../users/users.js';
import { badRequest } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { requireUser } from './change-user.js';
import { profileMetadata } from './profile-metadata.js';
import { USERS_TAG } from './users-tag.js';

const TEXT = { type: ['string', 'null'], maxLength: 2048 } as const;
const NAMES = { type: ['array', 'null'], items: { type: 'string' } } as const;
const OBJECT = { type: ['object', 'null'] } as const;
const ROLES = { type: ['object', 'null'], properties: { roles: NAMES, scopes: NAMES } } as const;

/** Keycloak's UPConfig. */
export const PROFILE_BODY = {
  type: 'object',
  properties: {
    attributes: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 255 },
          displayName: TEXT,
          group: TEXT,
          multivalued: { type: ['boolean', 'null'] },
          defaultValue: TEXT,
          annotations: OBJECT,
          validations: { type: ['object', 'null'], additionalProperties: OBJECT },
          required: ROLES,
          permissions: { type: ['object', 'null'], properties: { view: NAMES, edit: NAMES } },
          selector: { type: ['object', 'null'], properties: { scopes: NAMES } },
        },
        required: ['name'],
      },
    },
    groups: {
      type: ['array', 'null'],
      maxItems: 1000,
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, displayHeader: TEXT, displayDescription: TEXT, annotations: OBJECT },
        required: ['name'],
      },
    },
    unmanagedAttributePolicy: { enum: ['ENABLED', 'ADMIN_EDIT', 'ADMIN_VIEW', null] },
  },
  required: ['attributes'],
} as const;

const ATTRIBUTE_KEYS = Object.keys(PROFILE_BODY.properties.attributes.items.properties);
const GROUP_KEYS = Object.keys(PROFILE_BODY.properties.groups.items.properties);

/** The plugins whose validators a profile may use. */
export interface KnownPlugins {
  readonly registry: ProviderRegistry;
  readonly leftOut: HostPlugins['leftOut'];
}

export interface UserProfileOperationParts extends KnownPlugins {
  readonly users: Users;
  readonly edits: RealmEdits;
}

/** Operations on the user profile of a realm (Keycloak's UserProfileResource). */
export function userProfileOperations(parts: UserProfileOperationParts): AdminOperation[] {
  const { users, edits } = parts;
  return [
    {
      method: 'GET',
      path: '/users/profile',
      tag: USERS_TAG,
      summary: 'The user profile of the realm',
      roles: ['view-realm', 'view-users', 'query-users'],
      answers: { status: 200, body: PROFILE_BODY },
      handle: ({ realm }) => ok(profileOf(realm)),
    },
    {
      method: 'PUT',
      path: '/users/profile',
      tag: USERS_TAG,
      summary: 'Replace the user profile of the realm; without attributes it becomes the default one again',
      roles: ['manage-realm'],
      body: { ...PROFILE_BODY, required: [] },
      hasOptionalBody: true,
      answers: { status: 200, body: PROFILE_BODY },
      event: { resourceType: 'USER_PROFILE' },
      async handle({ realm, body }) {
        const input = { attributes: [], ...(body as Partial<UserProfile> | undefined) };
        const profile = requireValidProfile(realm.name, input, parts);
        await edits.edit(realm.name, (draft) => setUserProfile(draft, profile));
        return ok(profile);
      },
    },
    {
      method: 'GET',
      path: '/users/profile/metadata',
      tag: USERS_TAG,
      summary: 'The user profile for forms',
      roles: ['view-realm', 'view-users', 'query-users'],
      answers: { status: 200, body: { type: 'object' } },
      handle: ({ realm }) => ok(profileMetadata(realm, undefined)),
    },
    {
      method: 'GET',
      path: '/users/{userId}/unmanagedAttributes',
      tag: USERS_TAG,
      summary: 'The attributes of a user that the user profile does not define',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'object' } },
      async handle(call) {
        const { attributes = {} } = (await requireUser(users, call)).representation;
        const { attributes: managed, unmanagedAttributePolicy } = profileOf(call.realm);
        if (!unmanagedAttributePolicy) return ok({});
        const names = new Set(managed.map(({ name }) => name));
        return ok(Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.has(name))));
      },
    },
  ];
}

/**
 * Validates a profile, and returns it with its known members only.
 * @throws AdminError 400
 */
export function requireValidProfile(
  realm: string,
  { attributes, groups, unmanagedAttributePolicy }: UserProfile,
  { registry, leftOut }: KnownPlugins,
): UserProfile {
  if (attributes.length === 0) return DEFAULT_PROFILE;
  const profile = {
    attributes: attributes.map((attribute) => pickMembers(attribute, ATTRIBUTE_KEYS)),
    groups: (groups ?? []).map((group) => pickMembers(group, GROUP_KEYS)),
    ...(unmanagedAttributePolicy ? { unmanagedAttributePolicy } : {}),
  };
  const patterns = new Patterns(realm);
  const knownProviders = { providers: openedProviders(registry), hasLeftOutPlugin: leftOut().length > 0 };
  const problem =
    profileProblem(profile, patterns) ??
    validatorMistakes(profile, knownProviders)[0] ??
    profile.attributes.map((attribute) => defaultProblem(attribute, patterns)).find(Boolean);
  if (problem !== undefined)
    throw badRequest(`UserProfile configuration is invalid due to validation errors: ${problem}`);
  return profile;
}

/** Picks members that are not null. */
function pickMembers<T extends object>(value: T, keys: readonly string[]): T {
  const members = Object.entries(value).filter(([key, member]) => keys.includes(key) && member !== null);
  return Object.fromEntries(members) as T;
}
