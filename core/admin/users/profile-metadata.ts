import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import { isShownToAdmins } from '../../users/profile/admin-view.js';
import { isReadOnly, isRequired } from '../../users/profile/check-profile.js';

/** Keycloak's UserProfileMetadata for an admin. @param user undefined in the form for a new user */
export function profileMetadata(realm: Realm, user: User | undefined): object {
  const { attributes, groups = [] } = profileOf(realm);
  const { registrationEmailAsUsername, editUsernameAllowed } = realm.representation;
  const nameIsFixed = registrationEmailAsUsername === true || (user !== undefined && editUsernameAllowed !== true);
  const isFixed = (attribute: ProfileAttribute) => attribute.name === 'username' && nameIsFixed;
  return {
    attributes: attributes.filter(isShownInForms).map((attribute) => ({
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

/** True for attributes in admins' forms. A user cannot be saved without a username, so that is always shown. */
function isShownInForms(attribute: ProfileAttribute): boolean {
  return attribute.name === 'username' || isShownToAdmins(attribute);
}
