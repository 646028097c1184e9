import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import { isShownToAdmins } from '../../users/profile/admin-view.js';
import { isReadOnly, isRequired } from '../../users/profile/profile-problems.js';

/**
 * Creates Keycloak's UserProfileMetadata for an admin.
 * @param user undefined in the form for a new user
 */
export function profileMetadata(realm: Realm, user: User | undefined): object {
  const { attributes, groups = [] } = profileOf(realm);
  const { registrationEmailAsUsername, editUsernameAllowed } = realm.representation;
  const isUsernameFixed = registrationEmailAsUsername === true || (user !== undefined && editUsernameAllowed !== true);
  const isFixed = (attribute: ProfileAttribute) => attribute.name === 'username' && isUsernameFixed;
  return {
    attributes: attributes.filter(isInForms).map((attribute) => ({
      name: attribute.name,
      displayName: attribute.displayName ?? attribute.name,
      required: isRequired(attribute) || (attribute.name === 'username' && registrationEmailAsUsername !== true),
      readOnly: isReadOnly(attribute) || isFixed(attribute),
      ...(attribute.annotations ? { annotations: attribute.annotations } : {}),
      ...(attribute.group ? { group: attribute.group } : {}),
      validators: {
        ...(attribute.multivalued === true ? {} : { multivalued: { max: '1' } }),
        ...attribute.validations,
      },
      multivalued: attribute.multivalued === true,
      ...(attribute.defaultValue ? { defaultValue: attribute.defaultValue } : {}),
    })),
    groups,
  };
}

/**
 * True for attributes in forms for admins. The username is always one of them, since no user can be saved without it.
 */
function isInForms(attribute: ProfileAttribute): boolean {
  return attribute.name === 'username' || isShownToAdmins(attribute);
}
