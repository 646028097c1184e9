import { HostError } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import { type AttributeMistake, attributeMistakes } from './check-profile.js';
import { type ProfileField, profileFields, profileValues } from './profile-form.js';
import { profileOf } from './profile-of-realm.js';
import { isMailAddress } from './smtp-settings.js';
import type { Users } from './users.js';

/** What a user wrote into a form, by the name of the field; undefined: the form did not have it. */
export type SentValues = (name: string) => readonly string[] | undefined;

/** Longest value and most values of an attribute. */
const LONGEST = 2048;
const MOST = 100;

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

/** What the user would be with it: fields that may not be changed, and those that were not sent, stay. */
export function withProfile(realm: Realm, user: UserRepresentation, sent: SentValues): UserRepresentation {
  const draft = structuredClone(user);
  for (const field of profileFields(realm)) {
    const values = sent(field.name);
    if (values === undefined || field.readOnly) continue;
    put(
      draft,
      field,
      values
        .slice(0, MOST + 1)
        .map((value) => cleaned(field, value))
        .filter(Boolean),
    );
  }
  const { registrationEmailAsUsername } = realm.representation;
  if (registrationEmailAsUsername === true && draft.email) draft.username = draft.email;
  return draft;
}

/**
 * Changes what users may change about themselves. A new address is not verified, and links that were mailed until now die.
 * @returns the user before and after
 * @throws ProfileRefused
 */
export async function changeProfile(
  { users, clock }: { readonly users: Users; readonly clock: Clock },
  realm: Realm,
  userId: string,
  sent: SentValues,
): Promise<{ before: User; after: User } | undefined> {
  let before: User | undefined;
  const after = await users.change(realm, userId, async (draft, user) => {
    before = user;
    const changed = withProfile(realm, draft, sent);
    const mistakes = [...mistakesOf(realm, draft, changed), ...(await taken(users, realm, user, changed))];
    if (mistakes.length > 0) throw new ProfileRefused(mistakes);
    if (isNewAddress(draft, changed)) {
      changed.emailVerified = false;
      changed.linksNotBefore = clock.now();
    }
    for (const key of Object.keys(draft)) if (!Object.hasOwn(changed, key)) delete draft[key];
    Object.assign(draft, changed);
  });
  if (after === undefined || before === undefined) return undefined;
  if (!('exists' in after)) return { before, after };
  throw new ProfileRefused([after.exists === 'email' ? EMAIL_EXISTS : USERNAME_EXISTS]);
}

export function isNewAddress(before: UserRepresentation, after: UserRepresentation): boolean {
  return (before.email ?? '').toLowerCase() !== (after.email ?? '').toLowerCase();
}

export function isNewName(before: UserRepresentation, after: UserRepresentation): boolean {
  return before.username.toLowerCase() !== after.username.toLowerCase();
}

const EMAIL_EXISTS: AttributeMistake = { attribute: 'email', message: 'emailExistsMessage', parameters: [] };
const USERNAME_EXISTS: AttributeMistake = { attribute: 'username', message: 'usernameExistsMessage', parameters: [] };

function mistakesOf(realm: Realm, before: UserRepresentation, after: UserRepresentation): AttributeMistake[] {
  const seen = new Map(profileFields(realm).map((field) => [field.name, field]));
  const found = attributeMistakes(
    profileOf(realm),
    (name) => profileValues(before, name),
    (name) => profileValues(after, name),
    'user',
  );
  // What users cannot write they need not.
  const mistakes = found.filter(({ attribute }) => seen.get(attribute)?.readOnly === false);
  const add = (attribute: string, message: string) => {
    if (!mistakes.some((one) => one.attribute === attribute)) mistakes.push({ attribute, message, parameters: [] });
  };
  if (after.username === '') add('username', 'missingUsernameMessage');
  if (isNewAddress(before, after) && after.email && !isMailAddress(after.email)) add('email', 'error-invalid-email');
  for (const { name } of seen.values()) {
    const values = profileValues(after, name);
    if (values.some((value) => value.length > LONGEST) || values.length > MOST) add(name, 'error-invalid-value');
  }
  return mistakes;
}

/** Usernames and addresses are told apart nowhere at a login: neither may be another user's other. */
async function taken(users: Users, realm: Realm, user: User, after: UserRepresentation): Promise<AttributeMistake[]> {
  const isOthers = (other: User | undefined) => other !== undefined && other.id !== user.id;
  if (after.email && isNewAddress(user.representation, after) && isOthers(await users.byUsername(realm, after.email))) {
    return [EMAIL_EXISTS];
  }
  const renamed = isNewName(user.representation, after);
  return renamed && isOthers(await users.byLogin(realm, after.username)) ? [USERNAME_EXISTS] : [];
}

function put(draft: UserRepresentation, { name }: ProfileField, values: string[]): void {
  switch (name) {
    case 'username':
      draft.username = values[0] ?? '';
      break;
    case 'email':
    case 'firstName':
    case 'lastName':
      if (values[0] === undefined) delete draft[name];
      else draft[name] = values[0];
      break;
    default: {
      const others = Object.entries(draft.attributes ?? {}).filter(([other]) => other !== name);
      draft.attributes = Object.fromEntries(values.length === 0 ? others : [...others, [name, values]]);
    }
  }
}

/** One line without control characters; of a `textarea` several. */
function cleaned({ name, inputType }: ProfileField, value: string): string {
  const lines = inputType === 'textarea' ? value.replace(/\r\n?/g, '\n') : value.replace(/[\r\n\t]+/g, ' ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const text = lines.replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '').trim();
  return name === 'username' || name === 'email' ? text.toLowerCase() : text;
}
