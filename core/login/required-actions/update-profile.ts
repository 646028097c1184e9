import {
  type Message,
  type PageField,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
  type StepPage,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { isMailAddress } from '../../realms/smtp-settings.js';
import type { Users } from '../../realms/users.js';
import type { HostSession } from '../../registry/session.js';

const ALIAS = 'UPDATE_PROFILE';
const FIELDS = ['username', 'email', 'firstName', 'lastName'] as const;
/** Keycloak's longest username, e-mail address and name, in characters. */
const LONGEST = 255;

type Field = (typeof FIELDS)[number];
type Profile = Readonly<Record<Field, string>>;
type Problems = Partial<Record<Field, Message>>;

/** Keycloak's UPDATE_PROFILE: names and e-mail address, and the username where the realm says `editUsernameAllowed`. */
export function updateProfile({ users }: { users: Users }): ProviderDefinition {
  return provide(RequiredAction, {
    id: ALIAS,
    displayText: 'Update Profile',
    eventType: 'UPDATE_PROFILE',
    initiable: true,
    open: () => ({
      create: (session) => {
        const realm = (session as HostSession).compiledRealm;
        return {
          challenge: async (context) => ({
            outcome: 'challenge',
            page: pageOf(realm, context, profileOf(context), {}),
          }),
          async action(context, form): Promise<RequiredActionStep> {
            const given = typedProfile(realm, context, form);
            const refuse = (problems: Problems): RequiredActionStep => ({
              outcome: 'challenge',
              error: 'invalid_registration',
              page: pageOf(realm, context, given, problems),
            });
            const problems = problemsOf(given);
            if (Object.keys(problems).length > 0) return refuse(problems);
            const { id, email: before = '' } = context.user;
            const other = await users.byUsername(realm, given.email);
            if (other !== undefined && other.id !== id) return refuse({ email: { key: 'emailExistsMessage' } });
            const changed = await users.change(realm, id, (draft) => {
              Object.assign(draft, given);
              if (given.email.toLowerCase() !== before.toLowerCase()) {
                draft.emailVerified = false;
                draft.linksNotBefore = session.clock.now();
              }
              draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== ALIAS);
            });
            if (changed !== undefined && 'exists' in changed) {
              return refuse(
                changed.exists === 'email'
                  ? { email: { key: 'emailExistsMessage' } }
                  : { username: { key: 'usernameExistsMessage' } },
              );
            }
            return { outcome: 'success' };
          },
        };
      },
    }),
  });
}

function profileOf({ user }: RequiredActionContext): Profile {
  const { username, email = '', firstName = '', lastName = '' } = user;
  return { username, email, firstName, lastName };
}

function typedProfile(realm: Realm, { user }: RequiredActionContext, form: Readonly<Record<string, string>>): Profile {
  const typed = (name: Field) => (form[name] ?? '').trim();
  return {
    username: mayRename(realm) ? typed('username').toLowerCase() : user.username,
    email: typed('email'),
    firstName: typed('firstName'),
    lastName: typed('lastName'),
  };
}

function mayRename({ representation }: Realm): boolean {
  return representation.editUsernameAllowed === true && representation.registrationEmailAsUsername !== true;
}

function problemsOf(profile: Profile): Problems {
  const problems: Problems = {};
  if (!isMailAddress(profile.email)) problems.email = { key: 'invalidEmailMessage' };
  const missing = {
    username: 'missingUsernameMessage',
    email: 'missingEmailMessage',
    firstName: 'missingFirstNameMessage',
    lastName: 'missingLastNameMessage',
  } as const;
  for (const name of FIELDS) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    const odd = profile[name].length > LONGEST || /[\u0000-\u001f\u007f<>]/.test(profile[name]);
    if (profile[name] === '') problems[name] = { key: missing[name] };
    else if (odd) problems[name] = { key: 'error-invalid-value' };
  }
  return problems;
}

function pageOf(realm: Realm, { initiated }: RequiredActionContext, profile: Profile, problems: Problems): StepPage {
  const field = (name: Field, label: string, autocomplete: string, type: 'text' | 'email' = 'text'): PageField => ({
    ...{ name, type, autocomplete, label: { key: label }, value: profile[name], required: true },
    ...(problems[name] === undefined ? {} : { error: problems[name] }),
  });
  return {
    page: 'form',
    title: { key: 'loginProfileTitle' },
    text: { key: 'updateProfileMessage' },
    fields: [
      ...(mayRename(realm) ? [field('username', 'username', 'username')] : []),
      field('email', 'email', 'email', 'email'),
      field('firstName', 'firstName', 'given-name'),
      field('lastName', 'lastName', 'family-name'),
    ],
    submit: { key: 'doSubmit' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
