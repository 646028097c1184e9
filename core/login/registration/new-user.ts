import { randomUUID } from 'node:crypto';
import type { FormActionResult, UserView } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { User } from '../../model/user.js';
import { valuesOfForm } from '../../pages/forms/profile-fields.js';
import { newUserDefaults } from '../../realms/new-user-defaults.js';
import { setAttribute } from '../../users/profile/attribute-values.js';
import { withDefaults } from '../../users/profile/default-values.js';
import { userAttributes } from '../../users/profile/own-profile.js';
import type { AttributeValues } from '../../users/profile/profile-problems.js';
import type { Users } from '../../users/users.js';

export type Form = Readonly<Record<string, string>>;

/** A user who is not stored yet. */
export type NewUser = UserRepresentation & { id: string };

/** The result of a built-in form action. Unlike a plugin's, it may change the new user directly. */
export interface HostFormActionResult extends FormActionResult {
  readonly change?: (draft: NewUser) => void;
}

/**
 * Creates the user that the form actions then complete. It is not stored yet.
 * @param now milliseconds since the epoch
 */
export function newUser(realm: Realm, now: number): NewUser {
  return {
    id: randomUUID(),
    username: '',
    enabled: true,
    emailVerified: false,
    createdTimestamp: now,
    ...newUserDefaults(realm),
  };
}

/** The entered values, and the profile's defaults for fields that the form does not have, as when it is first shown. */
export function enteredProfile(realm: Realm, form: Form): AttributeValues {
  const entered = valuesOfForm(userAttributes(realm, 'REGISTRATION'), form, () => []);
  const withProfileDefaults = withDefaults(realm, entered);
  return (name) => (Object.hasOwn(form, name) ? entered(name) : withProfileDefaults(name));
}

/** Writes the entered values into the new user. */
export function fillProfile(realm: Realm, draft: NewUser, form: Form): NewUser {
  const profile = enteredProfile(realm, form);
  for (const { attribute } of userAttributes(realm, 'REGISTRATION')) {
    setAttribute(draft, attribute.name, profile(attribute.name));
  }
  if (realm.settings.registrationEmailAsUsername) draft.username = draft.email ?? '';
  return draft;
}

/** A snapshot of the user as plugins see it. */
export function viewOf(draft: NewUser): UserView {
  return new User({ id: draft.id, version: 0, representation: structuredClone(draft) }).view;
}

/**
 * The field whose value another user already has; undefined if there is none. The final check happens when the user is
 * stored.
 */
export async function findTakenField(
  users: Users,
  realm: Realm,
  draft: NewUser,
): Promise<'username' | 'email' | undefined> {
  const { id, username, email } = draft;
  if ((await users.byUsername(realm, username)) !== undefined) return 'username';
  if (email !== undefined && (await users.isTaken(realm, id, email))) return 'email';
  return undefined;
}
