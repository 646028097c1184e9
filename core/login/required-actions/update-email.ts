import {
  type Message,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionProvider,
  type RequiredActionStep,
  type StepPage,
} from '@keyhost/spi';
import { type LinkMails, unsentMessage } from '../../action-tokens/link-mails.js';
import { defined } from '../../model/defined.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { errorOf } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import { ownMistakes } from '../../users/profile/own-profile.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import type { Users } from '../../users/users.js';
import { changeEmail } from '../links/change-email.js';
import { UPDATE_EMAIL_MAIL } from '../links/update-email-link.js';
import { emailDetails } from './update-profile.js';

const ALIAS = 'UPDATE_EMAIL';
/** Notes: the email that a link was mailed to, and whether other sessions end once it is followed. */
const MAILED = 'UPDATE_EMAIL_KEY';
const SIGN_OUT = 'UPDATE_EMAIL_SIGN_OUT';

interface UpdateEmailServices {
  readonly users: Users;
  readonly mails: LinkMails;
  readonly validators: PluginValidators;
}

/** The posted form. */
interface EmailForm {
  readonly address: string;
  readonly signOut: boolean;
}

/**
 * Keycloak's UPDATE_EMAIL: changes the email. If the realm or the action's config sets `verifyEmail`, the change takes
 * effect only when the link mailed to the new address is followed.
 */
export function updateEmail(services: UpdateEmailServices): ProviderDefinition {
  return provide(RequiredAction, {
    id: ALIAS,
    displayText: 'Update Email',
    eventType: ALIAS,
    initiable: true,
    open: () => ({ create: (session: HostSession) => new UpdateEmail(session, services) }),
  });
}

class UpdateEmail implements RequiredActionProvider {
  readonly #session: HostSession;
  readonly #realm: Realm;
  readonly #users: Users;
  readonly #mails: LinkMails;
  readonly #validators: PluginValidators;

  constructor(session: HostSession, { users, mails, validators }: UpdateEmailServices) {
    this.#session = session;
    this.#realm = session.compiledRealm;
    this.#users = users;
    this.#mails = mails;
    this.#validators = validators;
  }

  async challenge(context: RequiredActionContext): Promise<RequiredActionStep> {
    // In a realm whose users may not edit their email, the action is skipped.
    if (this.#attribute?.permissions?.edit?.includes('user') !== true) return { outcome: 'ignored' };
    return completedByLink(context) ?? { outcome: 'challenge', page: pageOf(context, this.#mustVerify(context)) };
  }

  async action(context: RequiredActionContext, form: Readonly<Record<string, string>>): Promise<RequiredActionStep> {
    const typed = {
      address: (form.email ?? '').trim().toLowerCase(),
      signOut: form['logout-sessions'] === 'on',
    };
    const done = completedByLink(context);
    if (done !== undefined) return done;
    if (this.#attribute === undefined) return { outcome: 'ignored' };
    const values = typed.address === '' ? [] : [typed.address];
    const own = { attribute: this.#attribute, required: true, readOnly: false };
    const [mistake] = ownMistakes(this.#realm, [own], () => values);
    if (mistake !== undefined) return this.#refuse(context, typed, 'invalid_email', errorOf(mistake));
    const stored = attributeValues(context.user);
    const [other] = await this.#validators.mistakesForPage(this.#realm, {
      context: 'UPDATE_EMAIL',
      names: ['email'],
      values: (name) => (name === 'email' ? values : stored(name)),
      user: context.user,
    });
    if (other !== undefined) return this.#refuse(context, typed, 'invalid_email', errorOf(other));
    const user = await this.#users.byId(this.#realm, context.user.id);
    if (user === undefined) return { outcome: 'ignored' };
    const isKnown = typed.address === user.view.email && user.view.emailVerified;
    return this.#mustVerify(context) && !isKnown
      ? this.#mailLink(context, user, typed)
      : this.#change(context, user, typed);
  }

  get #attribute() {
    return profileOf(this.#realm).attributes.find(({ name }) => name === 'email');
  }

  #mustVerify({ config }: RequiredActionContext): boolean {
    return this.#realm.settings.verifyEmail || config.verifyEmail === 'true';
  }

  async #change(context: RequiredActionContext, user: User, typed: EmailForm): Promise<RequiredActionStep> {
    const { address, signOut } = typed;
    const changed = await changeEmail(this.#users, this.#session, user.id, address, { verified: false });
    if (changed === 'exists') return this.#refuseTaken(context, typed);
    return { outcome: 'success', signOutOthers: signOut, details: emailDetails(user.view.email ?? '', address) };
  }

  async #mailLink(context: RequiredActionContext, user: User, typed: EmailForm): Promise<RequiredActionStep> {
    const { address, signOut } = typed;
    if (await this.#users.isTaken(this.#realm, user.id, address)) return this.#refuseTaken(context, typed);
    try {
      await this.#mails.send(this.#session, user, {
        kind: UPDATE_EMAIL_MAIL,
        requestSource: 'user',
        to: address,
        locale: context.locale,
        clientId: context.client.clientId,
        login: context.login,
        claims: { newEmail: address, logoutSessions: signOut },
      });
    } catch (error) {
      const message = unsentMessage(error);
      return { outcome: 'challenge', page: pageOf(context, true, typed), message };
    }
    const notes = { [MAILED]: address, [SIGN_OUT]: String(signOut) };
    return { outcome: 'challenge', page: pageOf({ ...context, notes }, true), notes };
  }

  #refuseTaken(context: RequiredActionContext, typed: EmailForm): RequiredActionStep {
    return this.#refuse(context, typed, 'email_in_use', { key: 'emailExistsMessage' });
  }

  #refuse(context: RequiredActionContext, typed: EmailForm, error: string, message: Message): RequiredActionStep {
    const page = pageOf(context, this.#mustVerify(context), { ...typed, error: message });
    return { outcome: 'challenge', error, page };
  }
}

/** Success once the link that was mailed to the new address has been followed; else undefined. */
function completedByLink({ user, notes }: RequiredActionContext): RequiredActionStep | undefined {
  return notes[MAILED] !== undefined && user.email === notes[MAILED] && user.emailVerified
    ? { outcome: 'success', signOutOthers: notes[SIGN_OUT] === 'true' }
    : undefined;
}

/**
 * Shows the email that a link was mailed to, so that the user can resend or change it; before that, the user's present
 * email.
 */
function pageOf(
  { user, initiated, notes }: RequiredActionContext,
  verified: boolean,
  typed?: EmailForm & { readonly error?: Message },
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
        name: 'email',
        type: 'email',
        label: { key: 'email' },
        autocomplete: 'email',
        required: true,
        value: typed?.address ?? mailed ?? user.email ?? '',
        ...defined({ error: typed?.error }),
      },
      {
        name: 'logout-sessions',
        type: 'checkbox',
        label: { key: 'logoutOtherSessions' },
        value: signOut ? 'on' : '',
      },
    ],
    submit: { key: mailed === undefined ? 'doSubmit' : 'emailVerifyResend' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
