import { isEmailAddress } from '../../model/email-address.js';
import { Patterns } from '../../model/patterns.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import {
  type AttributeProblem,
  type AttributeValues,
  REQUIRED_VIOLATION,
  valueViolations,
} from './profile-problems.js';
import type { ProfileViolation } from './profile-validators.js';

/** The form in which users enter their attributes (Keycloak's UserProfileContext). */
export type ProfileContext = 'REGISTRATION' | 'UPDATE_PROFILE';

/** An attribute as its user sees it. */
export interface UserAttribute {
  readonly attribute: ProfileAttribute;
  readonly required: boolean;
  readonly readOnly: boolean;
}

/**
 * Maximum length of a value in characters, of a name, username or email, and maximum number of an attribute's values.
 */
const MAX_VALUE_LENGTH = 2048;
const MAX_ROOT_LENGTH = 255;
const MAX_VALUES = 100;

/**
 * The attributes that users see of themselves, in the profile's order. These are the attributes that they may change
 * and, for existing users, read-only ones. Users cannot submit undeclared attributes. An attribute that is limited to
 * certain scopes is never required, nor is a number of its values, because the requested scopes are unknown here.
 * @param user undefined for a new user. The email of an existing user is left out if only UPDATE_EMAIL may change it.
 */
export function userAttributes(
  realm: Realm,
  context: ProfileContext,
  user?: { readonly email?: string },
): readonly UserAttribute[] {
  const isNew = context === 'REGISTRATION';
  return profileOf(realm)
    .attributes.filter(({ name }) => !isHidden(realm, context, name, user))
    .map((attribute) => {
      const { name, permissions, required } = attribute;
      const isUsername =
        name === 'username' || (name === 'email' && isNew && realm.settings.registrationEmailAsUsername);
      const isEditable = isUsername || permissions?.edit?.includes('user') === true;
      const isForEveryone = !required?.roles?.length && !required?.scopes?.length;
      const isForUser = required && (isForEveryone || required.roles?.includes('user') === true);
      const isRequired = isEditable && !!isForUser && !isForScopes(attribute);
      return { attribute, readOnly: !isEditable, required: isUsername || isRequired };
    })
    .filter(
      ({ readOnly, attribute }) => !readOnly || (!isNew && attribute.permissions?.view?.includes('user') === true),
    );
}

/** The violations by these values, at most one per attribute. Unchanged values are checked too. */
export function userProblems(
  realm: Realm,
  attributes: readonly UserAttribute[],
  values: AttributeValues,
): AttributeProblem[] {
  const patterns = new Patterns(realm.name);
  return attributes.flatMap(({ attribute, required, readOnly }) => {
    if (readOnly) return [];
    const current = values(attribute.name);
    const [first] =
      current.length === 0 && required ? [REQUIRED_VIOLATION] : userViolations(attribute, current, patterns);
    return first === undefined ? [] : [{ ...first, attribute: attribute.name }];
  });
}

function isForScopes({ selector }: ProfileAttribute): boolean {
  return (selector?.scopes?.length ?? 0) > 0;
}

function isHidden(realm: Realm, context: ProfileContext, name: string, user: { email?: string } | undefined): boolean {
  if (name === 'username') {
    return (
      realm.settings.registrationEmailAsUsername || (context !== 'REGISTRATION' && !realm.settings.editUsernameAllowed)
    );
  }
  return name === 'email' && !!user?.email && realm.settings.updateEmailAction;
}

/** The violations of the profile's validators, and of basic limits for values that are stored, mailed or displayed. */
function userViolations(
  attribute: ProfileAttribute,
  values: readonly string[],
  patterns: Patterns,
): ProfileViolation[] {
  const isText = attribute.annotations?.inputType === 'textarea' && attribute.multivalued !== true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const invalidCharacters = isText ? /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/ : /[\u0000-\u001f\u007f]/;
  const maxLength = ['username', 'email', 'firstName', 'lastName'].includes(attribute.name)
    ? MAX_ROOT_LENGTH
    : MAX_VALUE_LENGTH;
  const hasInvalidValue = values.some((value) => value.length > maxLength || invalidCharacters.test(value));
  if (hasInvalidValue || values.length > MAX_VALUES) return [{ message: 'error-invalid-value', parameters: [] }];
  if (attribute.name === 'email' && !values.every((value) => isEmailAddress(value))) {
    return [{ message: 'invalidEmailMessage', parameters: [] }];
  }
  return values.length === 0 && isForScopes(attribute) ? [] : valueViolations(attribute, values, patterns);
}
