import {
  type Message,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
  type StepPage,
} from '@keyhost/spi';
import type { LinkMails } from '../../action-tokens/link-mails.js';
import { codeOf } from '../../model/thrown.js';
import { errorOf } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { ownMistakes } from '../../users/profile/own-profile.js';
import { profileOf } from '../../users/profile/profile-of-realm.js';
import type { Users } from '../../users/users.js';
import { changeEmail } from '../links/change-email.js';
import { emailDetails } from './update-profile.js';

const ALIAS = 'UPDATE_EMAIL';
/** Notes the address that a link was mailed to, and whether other sessions end once it is followed. */
const MAILED = 'UPDATE_EMAIL_KEY';
const SIGN_OUT = 'UPDATE_EMAIL_SIGN_OUT';

/**
 * Keycloak's UPDATE_EMAIL: a new address. Where the realm says `verifyEmail`, or the action's config does, it is the user's
 * once somebody has followed the link that was mailed there; until then nothing is changed.
 */
export function updateEmail({ users, mails }: { users: Users; mails: LinkMails }): ProviderDefinition {
  return provide(RequiredAction, {
    id: ALIAS,
    displayText: 'Update Email',
    eventType: ALIAS,
    initiable: true,
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const email = profileOf(realm).attributes.find(({ name }) => name === 'email');
        const isVerified = ({ config }: RequiredActionContext) =>
          realm.settings.verifyEmail || config.verifyEmail === 'true';
        const arrived = ({ user, notes }: RequiredActionContext): RequiredActionStep | undefined =>
          notes[MAILED] !== undefined && user.email === notes[MAILED] && user.emailVerified
            ? { outcome: 'success', signOutOthers: notes[SIGN_OUT] === 'true' }
            : undefined;
        return {
          async challenge(context) {
            // A realm whose users may not change their address has them keep it.
            if (email?.permissions?.edit?.includes('user') !== true) return { outcome: 'ignored' };
            return arrived(context) ?? { outcome: 'challenge', page: pageOf(context, isVerified(context)) };
          },
          async action(context, form): Promise<RequiredActionStep> {
            const address = (form.email ?? '').trim().toLowerCase();
            const signOut = form['logout-sessions'] === 'on';
            const refuse = (error: string, message: Message): RequiredActionStep => ({
              outcome: 'challenge',
              error,
              page: pageOf(context, isVerified(context), { address, signOut, error: message }),
            });
            const done = arrived(context);
            if (done !== undefined) return done;
            if (email === undefined) return { outcome: 'ignored' };
            const values = address === '' ? [] : [address];
            const [mistake] = ownMistakes([{ attribute: email, required: true, readOnly: false }], () => values);
            if (mistake !== undefined) return refuse('invalid_email', errorOf(mistake));
            const user = await users.byId(realm, context.user.id);
            if (user === undefined) return { outcome: 'ignored' };
            const { email: before = '' } = user.view;
            if (!isVerified(context) || (address === before && user.view.emailVerified)) {
              const changed = await changeEmail(users, session, user.id, address, { verified: false });
              if (changed === 'exists') return refuse('email_in_use', { key: 'emailExistsMessage' });
              return { outcome: 'success', signOutOthers: signOut, details: emailDetails(before, address) };
            }
            if (await users.isTaken(realm, user.id, address)) {
              return refuse('email_in_use', { key: 'emailExistsMessage' });
            }
            try {
              await mails.send(session, user, {
                ...{ type: 'update-email', to: address, locale: context.locale },
                ...{ clientId: context.client.clientId, asid: context.login },
                claims: { newEmail: address, logoutSessions: signOut },
              });
            } catch (error) {
              if (codeOf(error) !== 'email_send_failed') throw error;
              const page = pageOf(context, true, { address, signOut });
              return { outcome: 'challenge', page, message: { key: 'emailSendErrorMessage' } };
            }
            const notes = { [MAILED]: address, [SIGN_OUT]: String(signOut) };
            return { outcome: 'challenge', page: pageOf({ ...context, notes }, true), notes };
          },
        };
      },
    }),
  });
}

/** With the address that a link was mailed to, which may be sent again or to another one; before that, the user's own. */
function pageOf(
  { user, initiated, notes }: RequiredActionContext,
  verified: boolean,
  typed?: { readonly address: string; readonly signOut: boolean; readonly error?: Message },
): StepPage {
  const mailed = typed === undefined ? notes[MAILED] : undefined;
  const ask = verified ? 'updateEmailVerifyMessage' : 'updateEmailMessage';
  const signOut = typed?.signOut ?? notes[SIGN_OUT] !== 'false';
  return {
    page: 'form',
    title: { key: mailed === undefined ? 'updateEmailTitle' : 'emailUpdateConfirmationSentTitle' },
    text: mailed === undefined ? { key: ask } : { key: 'emailUpdateConfirmationSent', params: [mailed] },
    fields: [
      {
        ...{ name: 'email', type: 'email', label: { key: 'email' }, autocomplete: 'email', required: true },
        value: typed?.address ?? mailed ?? user.email ?? '',
        ...(typed?.error === undefined ? {} : { error: typed.error }),
      },
      {
        ...{ name: 'logout-sessions', type: 'checkbox', label: { key: 'logoutOtherSessions' } },
        value: signOut ? 'on' : '',
      },
    ],
    submit: { key: mailed === undefined ? 'doSubmit' : 'emailVerifyResend' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
