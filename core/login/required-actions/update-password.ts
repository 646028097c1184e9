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
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { preparePasswordChange } from '../../users/passwords/password-change.js';
import { passwordPolicyOf } from '../../users/passwords/password-policy.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import type { Users } from '../../users/users.js';
import { passwordProblem } from './password-problem.js';

const ACTION_ID = 'UPDATE_PASSWORD';
const DAY_MS = 86_400_000;

/**
 * Keycloak's UPDATE_PASSWORD: sets a new password under the realm's policy. It is also required if the password has
 * expired.
 */
export function updatePassword(services: { users: Users; passwords: Passwords; clock: Clock }): ProviderDefinition {
  const { users, clock } = services;
  return provide(RequiredAction, {
    id: ACTION_ID,
    displayText: 'Update Password',
    eventType: 'UPDATE_PASSWORD',
    oneTime: true,
    initiable: true,
    open: () => ({
      create: (session) => {
        const realm = (session as HostSession).compiledRealm;
        return {
          async triggered({ id }) {
            const days = passwordPolicyOf(realm).forceExpiredPasswordChange;
            const user = days === undefined ? undefined : await users.byId(realm, id);
            return days !== undefined && user !== undefined && isExpired(days, user, clock.now());
          },
          challenge: async (context) => ({ outcome: 'challenge', page: pageOf(context, true) }),
          async action(context, form): Promise<RequiredActionStep> {
            const { 'password-new': password = '', 'password-confirm': confirmation = '' } = form;
            const signOutOthers = form['logout-sessions'] === 'on';
            const refuse = (field: Field, error: string, message: Message): RequiredActionStep => ({
              outcome: 'challenge',
              error,
              page: pageOf(context, signOutOthers, { field, message }),
            });
            if (password === '') return refuse('password-new', 'password_missing', { key: 'missingPasswordMessage' });
            if (password !== confirmation) {
              return refuse('password-confirm', 'password_confirm_error', { key: 'notMatchPasswordMessage' });
            }
            const user = await users.byId(realm, context.user.id);
            if (user === undefined)
              return { outcome: 'failure', error: 'user_not_found', message: { key: 'invalidUserMessage' } };
            try {
              const write = await preparePasswordChange(services, realm, user.representation, password);
              await users.change(realm, user.id, (draft) => {
                write(draft);
                draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== ACTION_ID);
              });
            } catch (error) {
              const problem = passwordProblem(error);
              if (problem === undefined) throw error;
              return refuse('password-new', 'password_rejected', problem);
            }
            return { outcome: 'success', signOutOthers };
          },
        };
      },
    }),
  });
}

/** True if the password is older than the policy allows. */
function isExpired(days: number, { credentials, createdAt }: User, now: number): boolean {
  const password = credentials.find(({ type }) => type === 'password');
  return password !== undefined && now - (password.createdDate ?? createdAt) > days * DAY_MS;
}

type Field = 'password-new' | 'password-confirm';

function pageOf(
  { user, initiated }: RequiredActionContext,
  signOutOthers: boolean,
  problem?: { field: Field; message: Message },
): StepPage {
  const password = (name: Field, label: string): PageField => ({
    name,
    label: { key: label },
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    ...(problem?.field === name ? { error: problem.message } : {}),
  });
  return {
    page: 'form',
    title: { key: 'updatePasswordTitle' },
    text: { key: 'updatePasswordMessage' },
    fields: [
      // This lets password managers store the new password under the username.
      { name: 'username', label: { key: 'username' }, type: 'hidden', value: user.username, autocomplete: 'username' },
      password('password-new', 'passwordNew'),
      password('password-confirm', 'passwordConfirm'),
      {
        name: 'logout-sessions',
        label: { key: 'logoutOtherSessions' },
        type: 'checkbox',
        value: signOutOthers ? 'on' : '',
      },
    ],
    submit: { key: 'doSubmit' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
