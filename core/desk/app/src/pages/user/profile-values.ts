import type { SentUser, User } from '../../api/users.ts';
import { type AttributeRow, attributesOf, rowsOf } from '../../parts/attribute-rows.ts';

/** What the form of a profile holds. */
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

/** What is sent: the members that were changed, and nothing of what was not. */
export function sentProfile({ attributes, ...changes }: Partial<ProfileValues>): SentUser {
  return attributes === undefined ? changes : { ...changes, attributes: attributesOf(attributes) };
}
