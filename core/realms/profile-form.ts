import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { isReadOnly, isRequired } from './check-profile.js';
import { profileOf } from './profile-of-realm.js';
import type { ProfileAttribute } from './user-profile.js';

/** Members of their own that a profile names like attributes. */
export const ROOT_ATTRIBUTES = ['username', 'email', 'firstName', 'lastName'] as const;

/** An attribute of the realm's user profile, in a form that its user fills in. */
export interface ProfileField {
  readonly name: string;
  /** A text, or `${key}` of one. */
  readonly label: string;
  /** The name of its group in the user profile. */
  readonly group: string | undefined;
  readonly required: boolean;
  readonly readOnly: boolean;
  readonly multivalued: boolean;
  /** Keycloak's annotation: `text`, `textarea`, `select`, `multiselect`, `html5-tel` and so on. */
  readonly inputType: string;
  /** Of a choice. Each label is a text, or `${key}` of one. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Below the field: a text, or `${key}` of one. */
  readonly help: string | undefined;
}

/** The values of an attribute of a user, `username` and the names included; none: it is absent. */
export function profileValues(user: Partial<UserRepresentation>, name: string): readonly string[] {
  const root = ROOT_ATTRIBUTES.find((key) => key === name);
  if (root !== undefined) return user[root] === undefined || user[root] === '' ? [] : [user[root]];
  const { attributes = {} } = user;
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? []) : [];
}

/** The fields of a form about a user who is there, in the order of the user profile: what users may see of themselves. */
export function profileFields(realm: Realm): ProfileField[] {
  return profileOf(realm)
    .attributes.filter((attribute) => isSeen(realm, attribute))
    .map((attribute) => fieldOf(realm, attribute));
}

/** True where users may change their usernames by themselves. */
export function mayRename({ representation }: Realm): boolean {
  return representation.editUsernameAllowed === true && representation.registrationEmailAsUsername !== true;
}

function isSeen({ representation }: Realm, attribute: ProfileAttribute): boolean {
  if (attribute.name === 'username' && representation.registrationEmailAsUsername === true) return false;
  return attribute.permissions?.view?.includes('user') === true || !isReadOnly(attribute, 'user');
}

function fieldOf(realm: Realm, attribute: ProfileAttribute): ProfileField {
  const { name, displayName, group, annotations } = attribute;
  const isUsername = name === 'username';
  const help = annotations?.inputHelperTextAfter ?? annotations?.inputHelperTextBefore;
  return {
    name,
    label: displayName || name,
    group: group ?? undefined,
    required: isUsername || isRequired(attribute, 'user'),
    readOnly: isReadOnly(attribute, 'user') || (isUsername && !mayRename(realm)),
    multivalued: attribute.multivalued === true,
    inputType: typeof annotations?.inputType === 'string' ? annotations.inputType : 'text',
    options: optionsOf(attribute),
    help: typeof help === 'string' ? help : undefined,
  };
}

function optionsOf({ validations, annotations }: ProfileAttribute): ProfileField['options'] {
  const from = annotations?.inputOptionsFromValidation;
  const source = validations?.[typeof from === 'string' ? from : 'options']?.options;
  if (!Array.isArray(source)) return [];
  const labels = (annotations?.inputOptionLabels ?? {}) as Readonly<Record<string, unknown>>;
  return source.map(String).map((value) => {
    const label = Object.hasOwn(labels, value) ? labels[value] : undefined;
    return { value, label: typeof label === 'string' ? label : value };
  });
}
