import type { BrokeredIdentity, Message, PageField, StepPage } from '@keyhost/spi';
import { isEmailAddress } from '../../model/email-address.js';
import type { Realm } from '../../model/realm.js';
import { plainText } from '../provider-claims.js';

const FIELDS = ['username', 'email', 'firstName', 'lastName'] as const;
const MISSING_MESSAGE_KEYS = {
  username: 'missingUsernameMessage',
  email: 'missingEmailMessage',
  firstName: 'missingFirstNameMessage',
  lastName: 'missingLastNameMessage',
} as const;

export type Profile = Readonly<Record<(typeof FIELDS)[number], string>>;
export type ProfileProblems = Partial<Record<(typeof FIELDS)[number], Message>>;

export function profileOfIdentity({ username, email = '', firstName = '', lastName = '' }: BrokeredIdentity): Profile {
  return { username, email, firstName, lastName };
}

/** The profile after the user's input: trimmed, with a lower-case username, which may be the email. */
export function profileFromForm(realm: Realm, previous: Profile, form: Readonly<Record<string, string>>): Profile {
  const textOf = (name: keyof Profile) => (form[name] ?? '').trim();
  const email = textOf('email');
  const username = realm.settings.registrationEmailAsUsername ? email : textOf('username');
  return {
    ...previous,
    username: username.toLowerCase(),
    email,
    firstName: textOf('firstName'),
    lastName: textOf('lastName'),
  };
}

/** The problems with a profile. All members are required, as in the profile update of a login. */
export function profileProblems(profile: Profile): ProfileProblems {
  const problems: ProfileProblems = {};
  if (!isEmailAddress(profile.email)) problems.email = { key: 'invalidEmailMessage' };
  for (const name of FIELDS) {
    if (profile[name] === '') problems[name] = { key: MISSING_MESSAGE_KEYS[name] };
    else if (plainText(profile[name]) === undefined) problems[name] = { key: 'error-invalid-value' };
  }
  return problems;
}

export function profilePage(
  realm: Realm,
  { displayName }: BrokeredIdentity,
  profile: Profile,
  problems: ProfileProblems,
): StepPage {
  const field = (
    name: keyof Profile,
    label: string,
    autocomplete: string,
    type: 'text' | 'email' = 'text',
  ): PageField => ({
    name,
    type,
    autocomplete,
    label: { key: label },
    value: profile[name],
    required: true,
    error: problems[name],
  });
  return {
    page: 'form',
    title: { key: 'loginProfileTitle' },
    text: { key: 'reviewBrokeredProfile', params: [displayName] },
    fields: [
      ...(realm.settings.registrationEmailAsUsername ? [] : [field('username', 'username', 'username')]),
      field('email', 'email', 'email', 'email'),
      field('firstName', 'firstName', 'given-name'),
      field('lastName', 'lastName', 'family-name'),
    ],
    submit: { key: 'doSubmit' },
  };
}
