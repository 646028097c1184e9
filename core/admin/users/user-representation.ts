import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { withoutHiddenAttributes } from '../../users/profile/admin-view.js';
import { fillDefaults } from '../../users/profile/default-values.js';
import type { Admin } from '../admin.js';

const BRIEF_MEMBERS = [
  'id',
  'username',
  'email',
  'emailVerified',
  'firstName',
  'lastName',
  'enabled',
  'createdTimestamp',
  'federationLink',
];
const FULL_MEMBERS = [...BRIEF_MEMBERS, 'serviceAccountClientId'];

interface UserResponse {
  readonly [member: string]: unknown;
  readonly access: Readonly<Record<string, boolean>>;
}

/** A user in a list with `briefRepresentation`, without attributes and other expensive members. */
export function briefUser(admin: Admin, realm: Realm, user: User): UserResponse {
  return {
    ...pickMembers(visibleTo(admin, realm, user.representation), user, BRIEF_MEMBERS),
    access: accessTo(admin, realm, user),
  };
}

/**
 * Returns a function that creates Keycloak's UserRepresentation of a user, without anything that could be used to sign
 * in.
 * @param credentialTypes the enabled credential types
 */
export function fullUser(credentialTypes: CredentialTypes) {
  return (admin: Admin, realm: Realm, user: User): UserResponse => {
    const withDefaults = { ...user.representation };
    fillDefaults(withDefaults, realm);
    const visibleUser = visibleTo(admin, realm, withDefaults);
    const { attributes = {}, notBefore } = visibleUser;
    const types = new Set(credentialTypes.listOf(realm, user).map(({ type }) => type));
    return {
      ...pickMembers(visibleTo(admin, realm, user.representation), user, FULL_MEMBERS),
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
      totp: types.has('otp'),
      disableableCredentialTypes: [...types],
      requiredActions: user.requiredActions,
      notBefore: notBefore ?? 0,
      access: accessTo(admin, realm, user),
    };
  };
}

/** Removes `access`, which Keycloak leaves out for members of groups and for service accounts. */
export function withoutAccess({ access: _, ...user }: UserResponse): object {
  return user;
}

/**
 * Returns the user without attributes that the realm's user profile hides from admins (CVE-2026-3911). Plugins see all
 * attributes, like those of Keycloak's own SPI.
 */
function visibleTo({ keepsUndeclaredAttributes }: Admin, realm: Realm, user: UserRepresentation): UserRepresentation {
  return keepsUndeclaredAttributes ? user : withoutHiddenAttributes(realm, user);
}

function pickMembers(
  representation: UserRepresentation,
  { enabled, view }: User,
  members: readonly string[],
): Partial<UserRepresentation> {
  const entries = members.flatMap((key) => (representation[key] === undefined ? [] : [[key, representation[key]]]));
  return { ...Object.fromEntries(entries), enabled, emailVerified: view.emailVerified };
}

/** The caller's rights over a user. Admin consoles show their buttons accordingly. */
function accessTo(admin: Admin, realm: Realm, user: User): Readonly<Record<string, boolean>> {
  const isCovered = admin.covers(realm, user.effectiveRoles(realm));
  const canManage = isCovered && admin.can(realm.name, 'manage-users');
  return {
    manage: canManage,
    view: admin.can(realm.name, 'view-users'),
    mapRoles: canManage,
    manageGroupMembership: canManage,
    resetPassword: canManage,
    impersonate: isCovered && admin.can(realm.name, 'impersonation'),
  };
}
