import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { shownToAdmins } from '../../users/profile/admin-view.js';
import { fillDefaults } from '../../users/profile/default-values.js';
import type { Admin } from '../admin.js';

const BRIEF = [
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
const FULL = [...BRIEF, 'serviceAccountClientId'];

interface ShownUser {
  readonly [member: string]: unknown;
  readonly access: Readonly<Record<string, boolean>>;
}

/** A user in a list with `briefRepresentation`: without attributes and other expensive members. */
export function briefUser(admin: Admin, realm: Realm, user: User): ShownUser {
  return { ...shown(visibleTo(admin, realm, user.representation), user, BRIEF), access: accessTo(admin, realm, user) };
}

/**
 * A user (Keycloak's UserRepresentation) without anything that could be used to sign in. @param known the enabled
 * credential types
 */
export function fullUser(known: CredentialTypes) {
  return (admin: Admin, realm: Realm, user: User): ShownUser => {
    const whole = { ...user.representation };
    fillDefaults(whole, realm);
    const seen = visibleTo(admin, realm, whole);
    const { attributes = {}, notBefore } = seen;
    const types = new Set(known.listOf(realm, user).map(({ type }) => type));
    return {
      ...shown(visibleTo(admin, realm, user.representation), user, FULL),
      ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
      totp: types.has('otp'),
      disableableCredentialTypes: [...types],
      requiredActions: user.requiredActions,
      notBefore: notBefore ?? 0,
      access: accessTo(admin, realm, user),
    };
  };
}

/** A user in lists of group members and service accounts, as in Keycloak. */
export function withoutAccess({ access: _, ...user }: ShownUser): object {
  return user;
}

/**
 * The user without attributes that the realm's user profile hides from admins (CVE-2026-3911). Plugins see all
 * attributes, as Keycloak's own SPI does.
 */
function visibleTo({ keepsUndeclaredAttributes }: Admin, realm: Realm, user: UserRepresentation): UserRepresentation {
  return keepsUndeclaredAttributes ? user : shownToAdmins(realm, user);
}

function shown(
  representation: UserRepresentation,
  { enabled, view }: User,
  members: readonly string[],
): Partial<UserRepresentation> {
  const picked = members.flatMap((key) => (representation[key] === undefined ? [] : [[key, representation[key]]]));
  return { ...Object.fromEntries(picked), enabled, emailVerified: view.emailVerified };
}

/** The caller's rights over a user. The admin console shows its buttons accordingly. */
function accessTo(admin: Admin, realm: Realm, user: User): Readonly<Record<string, boolean>> {
  const covered = admin.covers(realm, user.effectiveRoles(realm));
  const manage = covered && admin.can(realm.name, 'manage-users');
  return {
    manage,
    view: admin.can(realm.name, 'view-users'),
    mapRoles: manage,
    manageGroupMembership: manage,
    resetPassword: manage,
    impersonate: covered && admin.can(realm.name, 'impersonation'),
  };
}
