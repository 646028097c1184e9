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

/** What users send of themselves, by attribute; undefined: nothing was said of it, and it stays. */
export type SentValues = (name: string) => readonly string[] | undefined;

/** What a user may not make of their profile. */
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

/** What users see of themselves on their account page: also their username and address where they may not change them. */
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

/** What the user would be with it, and with the profile's defaults. What may not be changed stays. */
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

/** @throws ProfileRefused for what no user of the realm can be; whether a name is taken shows when it is changed */
export function checkProfile(realm: Realm, user: UserRepresentation, sent: SentValues): void {
  const values = attributeValues(withProfile(realm, user, sent));
  // A username cannot be taken away: setAttribute leaves it.
  const mistakes = ownMistakes(realm, accountAttributes(realm, user), (name) =>
    sent(name)?.length === 0 ? [] : values(name),
  );
  if (mistakes.length > 0) throw new ProfileRefused(mistakes);
}

/**
 * Changes what users may change about themselves. A new address is not verified, and links that were mailed until now die.
 * @returns the user before and after; undefined when there is none any more
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
