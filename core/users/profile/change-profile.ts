import { HostError } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { Users } from '../users.js';
import { attributeValues, setAttribute } from './attribute-values.js';
import type { AttributeMistake } from './check-profile.js';
import { fillDefaults } from './default-values.js';
import { type OwnAttribute, ownAttributes, ownMistakes } from './own-profile.js';

/** The values that a user sends, by attribute; undefined: not sent, so unchanged. */
export type SentValues = (name: string) => readonly string[] | undefined;

/** A change of the profile that the user may not make. */
export class ProfileRefused extends HostError {
  override readonly name = 'ProfileRefused';
  readonly mistakes: readonly AttributeMistake[];

  constructor(mistakes: readonly AttributeMistake[]) {
    super('profile_refused', mistakes.map(({ attribute, message }) => `${attribute}: ${message}`).join(', '), {
      status: 400,
    });
    this.mistakes = mistakes;
  }
}

/** The attributes on a user's account page. They include username and email even if the user may not change them. */
export function accountAttributes(realm: Realm, user: UserRepresentation): OwnAttribute[] {
  const own = ownAttributes(realm, 'UPDATE_PROFILE', user);
  return profileOf(realm).attributes.flatMap((attribute): OwnAttribute[] => {
    const { name, permissions } = attribute;
    const known = own.find((one) => one.attribute.name === name);
    if (known !== undefined) return [known];
    const isHidden = name === 'username' && realm.settings.registrationEmailAsUsername;
    return isHidden || permissions?.view?.includes('user') !== true
      ? []
      : [{ attribute, readOnly: true, required: name === 'username' }];
  });
}

/** The user with the sent values and the profile's defaults. Read-only attributes are unchanged. */
export function withProfile(realm: Realm, user: UserRepresentation, sent: SentValues): UserRepresentation {
  const draft = structuredClone(user);
  for (const { attribute, readOnly } of accountAttributes(realm, user)) {
    const values = sent(attribute.name);
    if (values !== undefined && !readOnly) setAttribute(draft, attribute.name, values);
  }
  if (realm.settings.registrationEmailAsUsername && draft.email) draft.username = draft.email;
  fillDefaults(draft, realm);
  return draft;
}

/** @throws ProfileRefused for invalid values; whether a username or email is taken is checked when it is stored */
export function checkProfile(realm: Realm, user: UserRepresentation, sent: SentValues): void {
  const values = attributeValues(withProfile(realm, user, sent));
  // `setAttribute` ignores an empty username, so check it as sent.
  const mistakes = ownMistakes(realm, accountAttributes(realm, user), (name) =>
    sent(name)?.length === 0 ? [] : values(name),
  );
  if (mistakes.length > 0) throw new ProfileRefused(mistakes);
}

/**
 * Changes the user's own profile. A new email is not verified, and links mailed before become invalid.
 * @returns the user before and after; undefined if the user does not exist any more
 * @throws ProfileRefused
 */
export async function changeProfile(
  { users, clock }: { readonly users: Users; readonly clock: Clock },
  realm: Realm,
  userId: string,
  sent: SentValues,
): Promise<{ before: User; after: User } | undefined> {
  let before: User | undefined;
  const after = await users.change(realm, userId, (draft, user) => {
    before = user;
    checkProfile(realm, draft, sent);
    const changed = withProfile(realm, draft, sent);
    if (isNewAddress(draft, changed)) {
      changed.emailVerified = false;
      changed.linksNotBefore = clock.now();
    }
    for (const key of Object.keys(draft)) if (!Object.hasOwn(changed, key)) delete draft[key];
    Object.assign(draft, changed);
  });
  if (after === undefined || before === undefined) return undefined;
  if (!('exists' in after)) return { before, after };
  const attribute = after.exists === 'email' || realm.settings.registrationEmailAsUsername ? 'email' : 'username';
  throw new ProfileRefused([{ attribute, message: `${attribute}ExistsMessage`, parameters: [] }]);
}

export function isNewAddress(before: UserRepresentation, after: UserRepresentation): boolean {
  return (before.email ?? '').toLowerCase() !== (after.email ?? '').toLowerCase();
}

export function isNewName(before: UserRepresentation, after: UserRepresentation): boolean {
  return before.username.toLowerCase() !== after.username.toLowerCase();
}
