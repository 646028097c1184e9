/** The initial roles of every organization: each is a right in that organization. */
export const RIGHTS = {
  'view-organization': 'View this organization',
  'delete-organization': 'Delete this organization',
  'manage-organization': 'Change this organization',
  'view-members': 'View members of this organization',
  'manage-members': 'Add and remove members of this organization',
  'view-roles': 'View roles of this organization',
  'manage-roles': 'Create and grant roles of this organization',
  'view-invitations': 'View invitations to this organization',
  'manage-invitations': 'Create and delete invitations to this organization',
} as const;

export type Right = keyof typeof RIGHTS;

/** Rights that include another right. */
export const CONTAINED_IN: Readonly<Partial<Record<Right, Right>>> = {
  'view-members': 'manage-members',
  'view-roles': 'manage-roles',
  'view-invitations': 'manage-invitations',
};

export const isRight = (name: string): name is Right => Object.hasOwn(RIGHTS, name);

/** The client whose roles are rights in all organizations, as in keycloak-orgs. */
const ADMINISTRATION = 'realm-management';

/** The caller's rights in all organizations of the realm, by the roles in the token. */
export interface RealmRights {
  readonly creates: boolean;
  readonly views: boolean;
  readonly manages: boolean;
}

export function realmRights(clientRoles: Readonly<Record<string, readonly string[]>>): RealmRights {
  const roles = Object.hasOwn(clientRoles, ADMINISTRATION) ? (clientRoles[ADMINISTRATION] ?? []) : [];
  const manages = roles.includes('manage-organizations');
  return {
    creates: roles.includes('create-organization'),
    views: manages || roles.includes('view-organizations'),
    manages,
  };
}
