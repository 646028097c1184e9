import type { User, UserRequest } from '../../api/users.ts';
import { type AttributeRow, attributesOf, rowsOf } from '../../parts/attribute-rows.ts';

/** The values of a profile's form. */
export interface ProfileValues {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly enabled: boolean;
  readonly attributes: readonly AttributeRow[];
}

export function profileOf(user: User): ProfileValues {
  const { username, firstName = '', lastName = '', email = '', emailVerified, enabled, attributes = {} } = user;
  return { username, firstName, lastName, email, emailVerified, enabled, attributes: rowsOf(attributes) };
}

/** Only the changed members, for a request. */
export function profileChange({ attributes, ...changes }: Partial<ProfileValues>): UserRequest {
  return attributes === undefined ? changes : { ...changes, attributes: attributesOf(attributes) };
}
