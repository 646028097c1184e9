import type { UserRepresentation } from '../../model/representation.js';
import type { AttributeValues } from './profile-problems.js';

/** Members of the user that a profile declares like attributes. */
const ROOT_ATTRIBUTES = ['username', 'email', 'firstName', 'lastName'] as const;

type UserValues = Pick<UserRepresentation, 'email' | 'firstName' | 'lastName'> & {
  readonly username: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
};

export function isRootAttribute(name: string): boolean {
  return ROOT_ATTRIBUTES.some((key) => key === name);
}

/** The values of a user's attributes, by their names in the profile. */
export function attributeValues(user: UserValues): AttributeValues {
  return (name) => {
    const root = ROOT_ATTRIBUTES.find((key) => key === name);
    if (root !== undefined) return user[root] === undefined || user[root] === '' ? [] : [user[root]];
    const { attributes = {} } = user;
    return Object.hasOwn(attributes, name) ? (attributes[name] ?? []) : [];
  };
}

/** Sets the values of an attribute; an empty list removes it. The username cannot be removed. */
export function setAttribute(draft: UserRepresentation, name: string, values: readonly string[]): void {
  const root = ROOT_ATTRIBUTES.find((key) => key === name);
  const [value] = values;
  if (root === 'username') draft.username = value ?? draft.username;
  else if (root === undefined) {
    const { [name]: _, ...others } = draft.attributes ?? {};
    draft.attributes = values.length === 0 ? others : { ...others, [name]: [...values] };
  } else if (value === undefined) delete draft[root];
  else draft[root] = value;
}
