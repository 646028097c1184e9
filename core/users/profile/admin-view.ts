import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { ProfileAttribute } from '../../model/user-profile.js';

/** Which attributes of users the admins of a realm may view. */
interface AdminView {
  /** Declared attributes that admins may not view. */
  readonly hidden: ReadonlySet<string>;
  readonly declared: ReadonlySet<string>;
  readonly showsUndeclared: boolean;
}

const ADMIN_VIEW = Symbol('attributes that admins see');
const ROOT_NAMES = ['email', 'firstName', 'lastName'] as const;
const POLICIES_SHOWING_UNDECLARED: ReadonlySet<string | null | undefined> = new Set([
  'ENABLED',
  'ADMIN_EDIT',
  'ADMIN_VIEW',
]);

/** True if admins may view or edit the attribute. Without `permissions` it is hidden, as in Keycloak. */
export function isShownToAdmins({ permissions }: ProfileAttribute): boolean {
  return permissions?.view?.includes('admin') === true || permissions?.edit?.includes('admin') === true;
}

/** True if the realm's user profile hides the attribute from admins. The username is never hidden. */
export function isHiddenFromAdmins(realm: Realm, name: string): boolean {
  const { hidden, declared, showsUndeclared } = adminViewOf(realm);
  if (declared.has(name)) return hidden.has(name);
  return !showsUndeclared && name !== 'username' && !ROOT_NAMES.some((rootName) => rootName === name);
}

/** The user without attributes that the realm's user profile hides from admins. */
export function withoutHiddenAttributes(realm: Realm, user: UserRepresentation): UserRepresentation {
  const { hidden, showsUndeclared } = adminViewOf(realm);
  if (hidden.size === 0 && showsUndeclared) return user;
  const visible = { ...user };
  for (const name of ROOT_NAMES) if (hidden.has(name)) delete visible[name];
  const attributes = Object.entries(user.attributes ?? {}).filter(([name]) => !isHiddenFromAdmins(realm, name));
  if (attributes.length > 0) visible.attributes = Object.fromEntries(attributes);
  else delete visible.attributes;
  return visible;
}

function adminViewOf(realm: Realm): AdminView {
  return realm.derive(ADMIN_VIEW, () => {
    const { attributes, unmanagedAttributePolicy } = profileOf(realm);
    const hidden = attributes.filter((attribute) => !isShownToAdmins(attribute) && attribute.name !== 'username');
    return {
      hidden: new Set(hidden.map(({ name }) => name)),
      declared: new Set(attributes.map(({ name }) => name)),
      showsUndeclared: POLICIES_SHOWING_UNDECLARED.has(unmanagedAttributePolicy),
    };
  });
}
