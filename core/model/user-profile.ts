import type { RealmRepresentation } from './representation.js';

/** Keycloak's UPConfig: the attributes of a realm's users, and their validation rules. */
export interface UserProfile {
  readonly attributes: readonly ProfileAttribute[];
  readonly groups?: readonly ProfileGroup[];
  /** The policy for undeclared attributes. If absent, changes of a user do not affect these attributes. */
  readonly unmanagedAttributePolicy?: 'ENABLED' | 'ADMIN_EDIT' | 'ADMIN_VIEW' | null;
}

export interface ProfileAttribute {
  readonly name: string;
  readonly displayName?: string | null;
  readonly group?: string | null;
  readonly multivalued?: boolean | null;
  /** The value for a user without values. */
  readonly defaultValue?: string | null;
  readonly annotations?: Readonly<Record<string, unknown>> | null;
  /** Settings by validator ID. */
  readonly validations?: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null;
  /**
   * The callers that must set the attribute: the roles `admin` and `user`. Without roles and scopes, all callers must
   * set it.
   */
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

/** The component type and the configuration key of the user profile in a Keycloak realm. */
export const USER_PROFILES = 'org.keycloak.userprofile.UserProfileProvider';
export const PROFILE_CONFIG = 'kc.user.profile.config';
export const USER_PROFILE_PATH = ['components', USER_PROFILES, 0, 'config', PROFILE_CONFIG];

const EVERYONE = { view: ['admin', 'user'], edit: ['admin', 'user'] };
const NAME_VALIDATIONS = { length: { max: 255 }, 'person-name-prohibited-characters': {} };

/** The profile of realms that have none: Keycloak's default profile, except that undeclared attributes are allowed. */
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
      permissions: EVERYONE,
      multivalued: false,
    },
    {
      name: 'email',
      displayName: '${email}',
      validations: { email: {}, length: { max: 255 } },
      required: { roles: ['user'] },
      permissions: EVERYONE,
      multivalued: false,
    },
    ...['firstName', 'lastName'].map((name) => ({
      name,
      displayName: `\${${name}}`,
      validations: NAME_VALIDATIONS,
      required: { roles: ['user'] },
      permissions: EVERYONE,
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

/** The user profile of a realm, or `DEFAULT_PROFILE`. */
export function userProfileOf(realm: RealmRepresentation): UserProfile {
  const text = profileJson(realm);
  return text === undefined ? DEFAULT_PROFILE : (JSON.parse(text) as UserProfile);
}

/** Writes a profile into a realm. */
export function setUserProfile(draft: RealmRepresentation, profile: UserProfile): void {
  const [previous] = draft.components?.[USER_PROFILES] ?? [];
  const component = { ...previous, providerId: 'declarative-user-profile', subComponents: {} };
  draft.components = {
    ...draft.components,
    [USER_PROFILES]: [{ ...component, config: { ...previous?.config, [PROFILE_CONFIG]: [JSON.stringify(profile)] } }],
  };
}

/** Describes the mistake in the user profile of a realm; undefined if the profile is valid or absent. */
export function userProfileProblem(realm: RealmRepresentation): string | undefined {
  const text = profileJson(realm);
  if (text === undefined) return undefined;
  try {
    const { attributes } = JSON.parse(text) as { attributes?: unknown };
    const hasName = (attribute: unknown) => typeof (attribute as { name?: unknown } | null)?.name === 'string';
    if (Array.isArray(attributes) && attributes.every(hasName)) return undefined;
  } catch {
    // The text is no JSON.
  }
  return `${PROFILE_CONFIG} is no JSON text of a user profile with "attributes"`;
}

function profileJson({ components }: RealmRepresentation): string | undefined {
  return components?.[USER_PROFILES]?.[0]?.config?.[PROFILE_CONFIG]?.[0];
}
