import type { RealmRepresentation } from './representation.js';

/** Keycloak's UPConfig: which attributes a realm's users have, and what they must look like. */
export interface UserProfile {
  readonly attributes: readonly ProfileAttribute[];
  readonly groups?: readonly ProfileGroup[];
  /** Policy for attributes that are not declared; without it they are left alone. */
  readonly unmanagedAttributePolicy?: 'ENABLED' | 'ADMIN_EDIT' | 'ADMIN_VIEW' | null;
}

export interface ProfileAttribute {
  readonly name: string;
  readonly displayName?: string | null;
  readonly group?: string | null;
  readonly multivalued?: boolean | null;
  /** Value for a user without one. */
  readonly defaultValue?: string | null;
  readonly annotations?: Readonly<Record<string, unknown>> | null;
  /** Settings by the id of the validator. */
  readonly validations?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null;
  /** The callers that must set it: `admin`, `user`; without roles and scopes: all callers. */
  readonly required?: { readonly roles?: readonly string[] | null; readonly scopes?: readonly string[] | null } | null;
  readonly permissions?: { readonly view?: readonly string[]; readonly edit?: readonly string[] } | null;
  readonly selector?: { readonly scopes?: readonly string[] | null } | null;
}

export interface ProfileGroup {
  readonly name: string;
  readonly displayHeader?: string | null;
  readonly displayDescription?: string | null;
  readonly annotations?: Readonly<Record<string, unknown>> | null;
}

/** The component and the configuration key of the profile in a Keycloak realm. */
export const USER_PROFILES = 'org.keycloak.userprofile.UserProfileProvider';
export const PROFILE_CONFIG = 'kc.user.profile.config';
export const USER_PROFILE_PATH = ['components', USER_PROFILES, 0, 'config', PROFILE_CONFIG];

const EVERYBODY = { view: ['admin', 'user'], edit: ['admin', 'user'] };
const NAME = { length: { max: 255 }, 'person-name-prohibited-characters': {} };

/** Keycloak's own, but for attributes that it does not name: a realm without a profile takes any. */
export const DEFAULT_PROFILE: UserProfile = {
  attributes: [
    {
      name: 'username',
      displayName: '${username}',
      validations: {
        length: { min: 3, max: 255 },
        'username-prohibited-characters': {},
        'up-username-not-idn-homograph': {},
      },
      permissions: EVERYBODY,
      multivalued: false,
    },
    {
      name: 'email',
      displayName: '${email}',
      validations: { email: {}, length: { max: 255 } },
      required: { roles: ['user'] },
      permissions: EVERYBODY,
      multivalued: false,
    },
    ...['firstName', 'lastName'].map((name) => ({
      name,
      displayName: `\${${name}}`,
      validations: NAME,
      required: { roles: ['user'] },
      permissions: EVERYBODY,
      multivalued: false,
    })),
  ],
  groups: [
    {
      name: 'user-metadata',
      displayHeader: 'User metadata',
      displayDescription: 'Attributes, which refer to user metadata',
    },
  ],
  unmanagedAttributePolicy: 'ENABLED',
};

/** The profile of a realm, or Keycloak's default. */
export function userProfileOf(realm: RealmRepresentation): UserProfile {
  const text = configOf(realm);
  return text === undefined ? DEFAULT_PROFILE : (JSON.parse(text) as UserProfile);
}

/** Writes a profile into a realm. */
export function setUserProfile(draft: RealmRepresentation, profile: UserProfile): void {
  const [before] = draft.components?.[USER_PROFILES] ?? [];
  const component = { ...before, providerId: 'declarative-user-profile', subComponents: {} };
  draft.components = {
    ...draft.components,
    [USER_PROFILES]: [{ ...component, config: { ...before?.config, [PROFILE_CONFIG]: [JSON.stringify(profile)] } }],
  };
}

/** The mistake of the profile in a realm file; undefined if it has none. */
export function userProfileMistake(realm: RealmRepresentation): string | undefined {
  const text = configOf(realm);
  if (text === undefined) return undefined;
  try {
    const { attributes } = JSON.parse(text) as { attributes?: unknown };
    const named = (one: unknown) => typeof (one as { name?: unknown } | null)?.name === 'string';
    if (Array.isArray(attributes) && attributes.every(named)) return undefined;
  } catch {
    // The error is described below.
  }
  return `${PROFILE_CONFIG} is no JSON text of a user profile with "attributes"`;
}

function configOf({ components }: RealmRepresentation): string | undefined {
  return components?.[USER_PROFILES]?.[0]?.config?.[PROFILE_CONFIG]?.[0];
}
