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
import { messageOfProblem } from '../../pages/forms/profile-fields.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import { userProblems } from '../../users/profile/own-profile.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import type { Users } from '../../users/users.js';
import { changeEmail } from '../links/change-email.js';
import { UPDATE_EMAIL_MAIL } from '../links/update-email-link.js';
import { emailDetails } from './update-profile.js';

const ACTION_ID = 'UPDATE_EMAIL';
/** Notes: the email to which a link was mailed, and whether other sessions end when it is followed. */
const MAILED_NOTE = 'UPDATE_EMAIL_KEY';
const SIGN_OUT_NOTE = 'UPDATE_EMAIL_SIGN_OUT';

interface UpdateEmailServices {
  readonly users: Users;
  readonly mails: LinkMails;
  readonly validators: PluginValidators;
}

/** The values of the posted form. */
interface EmailForm {
  readonly address: string;
  readonly signOut: boolean;
}

/**
 * Keycloak's UPDATE_EMAIL: changes the email. With `verifyEmail` of the realm or of the action's configuration, the
 * email changes only when the user follows a link. The link is mailed to the new address.
 */
export function updateEmail(services: UpdateEmailServices): ProviderDefinition {
  return provide(RequiredAction, {
    id: ACTION_ID,
    displayText: 'Update Email',
    eventType: ACTION_ID,
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
    // The action is skipped in a realm that does not let users edit their email.
    if (this.#attribute?.permissions?.edit?.includes('user') !== true) return { outcome: 'ignored' };
    return stepAfterLink(context) ?? { outcome: 'challenge', page: pageOf(context, this.#mustVerify(context)) };
  }

  async action(context: RequiredActionContext, form: Readonly<Record<string, string>>): Promise<RequiredActionStep> {
    const input = {
      address: (form.email ?? '').trim().toLowerCase(),
      signOut: form['logout-sessions'] === 'on',
    };
    const completed = stepAfterLink(context);
    if (completed !== undefined) return completed;
    if (this.#attribute === undefined) return { outcome: 'ignored' };
    const values = input.address === '' ? [] : [input.address];
    const emailAttribute = { attribute: this.#attribute, required: true, readOnly: false };
    const [problem] = userProblems(this.#realm, [emailAttribute], () => values);
    if (problem !== undefined) return this.#refuse(context, input, 'invalid_email', messageOfProblem(problem));
    const stored = attributeValues(context.user);
    const [pluginProblem] = await this.#validators.validateForPage(this.#realm, {
      context: 'UPDATE_EMAIL',
      names: ['email'],
      values: (name) => (name === 'email' ? values : stored(name)),
      user: context.user,
    });
    if (pluginProblem !== undefined)
      return this.#refuse(context, input, 'invalid_email', messageOfProblem(pluginProblem));
    const user = await this.#users.byId(this.#realm, context.user.id);
    if (user === undefined) return { outcome: 'ignored' };
    const isUnchanged = input.address === user.view.email && user.view.emailVerified;
    return this.#mustVerify(context) && !isUnchanged
      ? this.#mailLink(context, user, input)
      : this.#change(context, user, input);
  }

  get #attribute() {
    return profileOf(this.#realm).attributes.find(({ name }) => name === 'email');
  }

  #mustVerify({ config }: RequiredActionContext): boolean {
    return this.#realm.settings.verifyEmail || config.verifyEmail === 'true';
  }

  async #change(context: RequiredActionContext, user: User, input: EmailForm): Promise<RequiredActionStep> {
    const { address, signOut } = input;
    const outcome = await changeEmail(this.#users, this.#session, user.id, address, { verified: false });
    if (outcome === 'exists') return this.#refuseTaken(context, input);
    return { outcome: 'success', signOutOthers: signOut, details: emailDetails(user.view.email ?? '', address) };
  }

  async #mailLink(context: RequiredActionContext, user: User, input: EmailForm): Promise<RequiredActionStep> {
    const { address, signOut } = input;
    if (await this.#users.isTaken(this.#realm, user.id, address)) return this.#refuseTaken(context, input);
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
      return { outcome: 'challenge', page: pageOf(context, true, input), message };
    }
    const notes = { [MAILED_NOTE]: address, [SIGN_OUT_NOTE]: String(signOut) };
    return { outcome: 'challenge', page: pageOf({ ...context, notes }, true), notes };
  }

  #refuseTaken(context: RequiredActionContext, input: EmailForm): RequiredActionStep {
    return this.#refuse(context, input, 'email_in_use', { key: 'emailExistsMessage' });
  }

  #refuse(context: RequiredActionContext, input: EmailForm, error: string, message: Message): RequiredActionStep {
    const page = pageOf(context, this.#mustVerify(context), { ...input, error: message });
    return { outcome: 'challenge', error, page };
  }
}

/** Success if the user has followed the link that was mailed to the new address; else undefined. */
function stepAfterLink({ user, notes }: RequiredActionContext): RequiredActionStep | undefined {
  return notes[MAILED_NOTE] !== undefined && user.email === notes[MAILED_NOTE] && user.emailVerified
    ? { outcome: 'success', signOutOthers: notes[SIGN_OUT_NOTE] === 'true' }
    : undefined;
}

/**
 * The page shows the email to which a link was mailed, so that the user can resend it or change the email. If none was
 * mailed, it shows the current email.
 */
function pageOf(
  { user, initiated, notes }: RequiredActionContext,
  mustVerify: boolean,
  input?: EmailForm & { readonly error?: Message },
): StepPage {
  const mailedAddress = input === undefined ? notes[MAILED_NOTE] : undefined;
  const instructionKey = mustVerify ? 'updateEmailVerifyMessage' : 'updateEmailMessage';
  const signOut = input?.signOut ?? notes[SIGN_OUT_NOTE] !== 'false';
  return {
    page: 'form',
    title: { key: mailedAddress === undefined ? 'updateEmailTitle' : 'emailUpdateConfirmationSentTitle' },
    text:
      mailedAddress === undefined
        ? { key: instructionKey }
        : { key: 'emailUpdateConfirmationSent', params: [mailedAddress] },
    fields: [
      {
        name: 'email',
        type: 'email',
        label: { key: 'email' },
        autocomplete: 'email',
        required: true,
        value: input?.address ?? mailedAddress ?? user.email ?? '',
        ...defined({ error: input?.error }),
      },
      {
        name: 'logout-sessions',
        type: 'checkbox',
        label: { key: 'logoutOtherSessions' },
        value: signOut ? 'on' : '',
      },
    ],
    submit: { key: mailedAddress === undefined ? 'doSubmit' : 'emailVerifyResend' },
    ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
  };
}
