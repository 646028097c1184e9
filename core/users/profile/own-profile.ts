import { isEmailAddress } from '../../model/email-address.js';
import { Patterns } from '../../model/patterns.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import { type AttributeMistake, type AttributeValues, REQUIRED, valueViolations } from './check-profile.js';
import type { ProfileViolation } from './profile-validators.js';

/** The form in which users enter their attributes (Keycloak's UserProfileContext). */
export type ProfileContext = 'REGISTRATION' | 'UPDATE_PROFILE';

/** An attribute as its user sees it. */
export interface OwnAttribute {
  readonly attribute: ProfileAttribute;
  readonly required: boolean;
  readonly readOnly: boolean;
}

/** Maximum length of a value in characters, and maximum number of an attribute's values. */
const LONGEST = 2048;
const LONGEST_NAME = 255;
const MOST_VALUES = 100;

/**
 * The attributes that users see of themselves, in the profile's order: those they may change, and for existing users
 * also read-only ones. Users cannot send undeclared attributes. An attribute for certain scopes is never required, nor
 * is a number of its values, because the requested scopes are unknown here.
 * @param user undefined for a new user; the email of an existing one may be changed by UPDATE_EMAIL only
 */
export function ownAttributes(
  realm: Realm,
  context: ProfileContext,
  user?: { readonly email?: string },
): readonly OwnAttribute[] {
  const isNew = context === 'REGISTRATION';
  return profileOf(realm)
    .attributes.filter(({ name }) => !isHidden(realm, context, name, user))
    .map((attribute) => {
      const { name, permissions, required } = attribute;
      const isNamed = name === 'username' || (name === 'email' && isNew && realm.settings.registrationEmailAsUsername);
      const editable = isNamed || permissions?.edit?.includes('user') === true;
      const ofEverybody = !required?.roles?.length && !required?.scopes?.length;
      const wanted = required && (ofEverybody || required.roles?.includes('user') === true);
      const isWanted = editable && !!wanted && !isForScopes(attribute);
      return { attribute, readOnly: !editable, required: isNamed || isWanted };
    })
    .filter(
      ({ readOnly, attribute }) => !readOnly || (!isNew && attribute.permissions?.view?.includes('user') === true),
    );
}

/** The violations by these values. Existing values are checked too. */
export function ownMistakes(
  realm: Realm,
  attributes: readonly OwnAttribute[],
  values: AttributeValues,
): AttributeMistake[] {
  const patterns = new Patterns(realm.name);
  return attributes.flatMap(({ attribute, required, readOnly }) => {
    if (readOnly) return [];
    const given = values(attribute.name);
    const [first] = given.length === 0 && required ? [REQUIRED] : valueViolationsOf(attribute, given, patterns);
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

/** The profile's validators, and basic limits for values that are stored, mailed or shown. */
function valueViolationsOf(
  attribute: ProfileAttribute,
  values: readonly string[],
  patterns: Patterns,
): ProfileViolation[] {
  const isText = attribute.annotations?.inputType === 'textarea' && attribute.multivalued !== true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const odd = isText ? /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/ : /[\u0000-\u001f\u007f]/;
  const longest = ['username', 'email', 'firstName', 'lastName'].includes(attribute.name) ? LONGEST_NAME : LONGEST;
  const isOdd = values.some((value) => value.length > longest || odd.test(value));
  if (isOdd || values.length > MOST_VALUES) return [{ message: 'error-invalid-value', parameters: [] }];
  if (attribute.name === 'email' && !values.every((value) => isEmailAddress(value))) {
    return [{ message: 'invalidEmailMessage', parameters: [] }];
  }
  return values.length === 0 && isForScopes(attribute) ? [] : valueViolations(attribute, values, patterns);
}
