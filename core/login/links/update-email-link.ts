import {
  type ActionToken,
  type ActionTokenConfirmation,
  type ActionTokenContext,
  ActionTokenHandler,
  type ActionTokenInfo,
  type ActionTokenProvider,
  HostError,
  type LinkedActions,
  type ProviderDefinition,
  provide,
  type Refusal,
} from '@keyhost/spi';
import type { LinkMailType } from '../../action-tokens/link-mails.js';
import type { Realm } from '../../model/realm.js';
import { enabledRequiredAction } from '../../realms/enabled-required-actions.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { ActionTokenServices } from './built-in-action-tokens.js';
import { changeEmail } from './change-email.js';
import { verifyMailedLink } from './verify-mailed-link.js';

const ACTION_ALIAS = 'UPDATE_EMAIL';

/** The mail with the link. */
export const UPDATE_EMAIL_MAIL: LinkMailType = {
  type: 'update-email',
  event: 'SEND_VERIFY_EMAIL',
  messagePrefix: 'emailUpdateConfirmation',
};

/**
 * Keycloak's UpdateEmailActionTokenHandler: following the link proves access to the new mailbox, so the user's email is
 * changed to it. The link works once: its token contains the old email, and the change invalidates earlier links.
 */
export function updateEmailLink(services: ActionTokenServices): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: UPDATE_EMAIL_MAIL.type,
    describe: {
      displayName: 'New email address',
      helpText: 'Sets the email address of the user to the address that received the link.',
    },
    claims: {
      type: 'object',
      properties: {
        // The old email; every mailed link contains the current email of its user.
        eml: { type: 'string' },
        newEmail: { type: 'string', minLength: 1 },
        logoutSessions: { type: 'boolean' },
      },
      required: ['eml', 'newEmail'],
      additionalProperties: false,
    },
    eventType: ACTION_ALIAS,
    defaultError: 'invalid_token',
    defaultMessage: 'staleEmailVerificationLink',
    open: () => ({ create: (session: HostSession) => new UpdateEmailLink(session, services) }),
  });
}

class UpdateEmailLink implements ActionTokenProvider {
  readonly #session: HostSession;
  readonly #realm: Realm;
  readonly #services: ActionTokenServices;

  constructor(session: HostSession, services: ActionTokenServices) {
    this.#session = session;
    this.#realm = session.compiledRealm;
    this.#services = services;
  }

  async confirm(
    token: ActionToken,
    { authenticationSession }: ActionTokenContext,
  ): Promise<ActionTokenConfirmation | false> {
    return (
      !authenticationSession.joined && {
        title: { key: 'updateEmailTitle' },
        text: { key: 'confirmEmailUpdate', params: [newEmailOf(token)] },
      }
    );
  }

  async verify(token: ActionToken, context: ActionTokenContext): Promise<Refusal | undefined> {
    if (enabledRequiredAction(this.#realm, ACTION_ALIAS) === undefined) {
      return { error: 'not_allowed', message: 'invalidTokenRequiredActions' };
    }
    const { users, links } = this.#services;
    const services = { users, links, session: this.#session };
    const refusal = await verifyMailedLink(services, token, context, 'staleEmailVerificationLink');
    if (refusal !== undefined) return refusal;
    const isTaken = await users.isTaken(this.#realm, token.subject, newEmailOf(token));
    return isTaken ? { error: 'email_in_use', message: 'emailExistsMessage' } : undefined;
  }

  async requiredActions(
    token: ActionToken,
    { authenticationSession }: ActionTokenContext,
  ): Promise<LinkedActions | undefined> {
    if (!authenticationSession.joined) return undefined;
    // The required action continues in the authentication session, and signs out the other sessions.
    await this.#changeEmail(token);
    return { requiredActions: [] };
  }

  async handle(token: ActionToken): Promise<ActionTokenInfo> {
    await this.#changeEmail(token, ACTION_ALIAS);
    if (token.claims.logoutSessions === true) {
      await this.#services.sessionEnder.endAll(this.#realm, { userId: token.subject });
    }
    const text = { key: 'emailUpdated', params: [newEmailOf(token)] };
    return { info: { title: { key: 'emailUpdatedTitle' }, text } };
  }

  /**
   * Changes the email.
   * @param completedAction the required action that this completes
   * @throws HostError `email_in_use` (409)
   */
  async #changeEmail(token: ActionToken, completedAction?: string): Promise<void> {
    const options = { verified: true, done: completedAction };
    const outcome = await changeEmail(this.#services.users, this.#session, token.subject, newEmailOf(token), options);
    if (outcome === 'changed') return;
    throw new HostError('email_in_use', 'Email already exists.', { status: 409, expose: true });
  }
}

function newEmailOf({ claims }: ActionToken): string {
  return claims.newEmail as string;
}
