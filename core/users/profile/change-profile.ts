import { HostError } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { Users } from '../users.js';
import { attributeValues, setAttribute } from './attribute-values.js';
import { fillDefaults } from './default-values.js';
import { type UserAttribute, userAttributes, userProblems } from './own-profile.js';
import type { AttributeProblem } from './profile-problems.js';

/** The values that a user submits, by attribute. Undefined: not submitted, so unchanged. */
export type SubmittedValues = (name: string) => readonly string[] | undefined;

/** Thrown if the values of a profile change are invalid. */
export class ProfileInvalidError extends HostError {
  override readonly name = 'ProfileRefused';
  readonly problems: readonly AttributeProblem[];

  constructor(problems: readonly AttributeProblem[]) {
    super('profile_refused', problems.map(({ attribute, message }) => `${attribute}: ${message}`).join(', '), {
      status: 400,
    });
    this.problems = problems;
  }
}

/** The attributes on a user's account page. Username and email are among them even if the user may not change them. */
export function accountAttributes(realm: Realm, user: UserRepresentation): UserAttribute[] {
  const editable = userAttributes(realm, 'UPDATE_PROFILE', user);
  return profileOf(realm).attributes.flatMap((attribute): UserAttribute[] => {
    const { name, permissions } = attribute;
    const editableAttribute = editable.find((candidate) => candidate.attribute.name === name);
    if (editableAttribute !== undefined) return [editableAttribute];
    const isHidden = name === 'username' && realm.settings.registrationEmailAsUsername;
    return isHidden || permissions?.view?.includes('user') !== true
      ? []
      : [{ attribute, readOnly: true, required: name === 'username' }];
  });
}

/** The user with the submitted values and the profile's defaults. Read-only attributes are unchanged. */
export function withSubmittedValues(
  realm: Realm,
  user: UserRepresentation,
  submitted: SubmittedValues,
): UserRepresentation {
  const draft = structuredClone(user);
  for (const { attribute, readOnly } of accountAttributes(realm, user)) {
    const values = submitted(attribute.name);
    if (values !== undefined && !readOnly) setAttribute(draft, attribute.name, values);
  }
  if (realm.settings.registrationEmailAsUsername && draft.email) draft.username = draft.email;
  fillDefaults(draft, realm);
  return draft;
}

/**
 * Checks the values of a change. Whether a username or email is taken is checked when the user is stored.
 * @throws ProfileInvalidError
 */
export function checkProfile(realm: Realm, user: UserRepresentation, submitted: SubmittedValues): void {
  const values = attributeValues(withSubmittedValues(realm, user, submitted));
  // `setAttribute` ignores an empty username, so check it as submitted.
  const problems = userProblems(realm, accountAttributes(realm, user), (name) =>
    submitted(name)?.length === 0 ? [] : values(name),
  );
  if (problems.length > 0) throw new ProfileInvalidError(problems);
}

/**
 * Changes a user's profile on behalf of that user. A new email is unverified, and links mailed before become invalid.
 * @returns the user before and after; undefined if the user does not exist any more
 * @throws ProfileInvalidError
 */
export async function changeProfile(
  { users, clock }: { readonly users: Users; readonly clock: Clock },
  realm: Realm,
  userId: string,
  submitted: SubmittedValues,
): Promise<{ before: User; after: User } | undefined> {
  let previous: User | undefined;
  const updated = await users.change(realm, userId, (draft, user) => {
    previous = user;
    checkProfile(realm, draft, submitted);
    const newProfile = withSubmittedValues(realm, draft, submitted);
    if (isEmailChanged(draft, newProfile)) {
      newProfile.emailVerified = false;
      newProfile.linksNotBefore = clock.now();
    }
    for (const key of Object.keys(draft)) if (!Object.hasOwn(newProfile, key)) delete draft[key];
    Object.assign(draft, newProfile);
  });
  if (updated === undefined || previous === undefined) return undefined;
  if (!('exists' in updated)) return { before: previous, after: updated };
  const attribute = updated.exists === 'email' || realm.settings.registrationEmailAsUsername ? 'email' : 'username';
  throw new ProfileInvalidError([{ attribute, message: `${attribute}ExistsMessage`, parameters: [] }]);
}

export function isEmailChanged(previous: UserRepresentation, updated: UserRepresentation): boolean {
  return (previous.email ?? '').toLowerCase() !== (updated.email ?? '').toLowerCase();
}

export function isUsernameChanged(previous: UserRepresentation, updated: UserRepresentation): boolean {
  return previous.username.toLowerCase() !== updated.username.toLowerCase();
}
