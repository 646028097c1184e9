import type { LinkMails } from '../../action-tokens/link-mails.js';
import { defined } from '../../model/defined.js';
import type { User } from '../../model/user.js';
import { chooseLocale } from '../../pages/locale/locale.js';
import { enabledRequiredAction } from '../../realms/enabled-required-actions.js';
import type { CalledRealm } from '../../registry/sessions/caller.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { actionNameOf, actionProviderOf } from '../required-actions/action-providers.js';
import { clientProblem } from './client-problem.js';
import { EXECUTE_ACTIONS_MAIL } from './execute-actions.js';
import { VERIFY_EMAIL_MAIL } from './verify-email-link.js';

/** Sends the mails that admins request for users (Keycloak's UserResource.executeActionsEmail). */
export class AdminMails {
  readonly #parts: { mails: LinkMails; sessions: SessionFactory };

  constructor(parts: { mails: LinkMails; sessions: SessionFactory }) {
    this.#parts = parts;
  }

  /**
   * Sends a mail with a link.
   * @param mail.actions undefined: the link only verifies the email
   * @param mail.lifespan seconds; undefined: `actionTokenGeneratedByAdminLifespan`
   * @returns the problem with the request, with Keycloak's text; undefined if the mail was sent
   * @throws HostError `email_send_failed` (500)
   */
  async send(
    { realm, caller }: CalledRealm,
    user: User,
    mail: {
      readonly actions: readonly string[] | undefined;
      readonly clientId: string | undefined;
      readonly redirectUri: string | undefined;
      readonly lifespan: number | undefined;
    },
  ): Promise<string | undefined> {
    const { actions, clientId, redirectUri, lifespan } = mail;
    if (!user.view.email) return 'User email missing';
    if (!user.enabled) return 'User is disabled';
    if (lifespan !== undefined && lifespan < 1) return 'lifespan must be at least 1';
    const problem = clientProblem(realm, { clientId, redirectUri });
    if (problem !== undefined) return problem;
    const session = this.#parts.sessions.create(realm, caller, 'keyhost');
    try {
      const enabled = (actions ?? []).map((alias) => {
        const action = enabledRequiredAction(realm, alias);
        return action && actionProviderOf(session, action);
      });
      if (enabled.includes(undefined)) return 'Provided invalid required actions';
      const [userLocale] = user.view.attributes.locale ?? [];
      const localeSources = {
        kcLocale: userLocale,
        uiLocales: undefined,
        cookie: undefined,
        acceptLanguage: undefined,
      };
      await this.#parts.mails.send(session, user, {
        kind: actions === undefined ? VERIFY_EMAIL_MAIL : EXECUTE_ACTIONS_MAIL,
        requestSource: 'admin',
        locale: chooseLocale(realm, localeSources),
        expiresIn: lifespan ?? realm.lifespans.actionTokenByAdmin,
        ...defined({ clientId }),
        ...(actions === undefined ? {} : { claims: { rqac: [...actions], ...defined({ reduri: redirectUri }) } }),
        actions: enabled.flatMap((provider) => (provider === undefined ? [] : [actionNameOf(provider)])),
      });
      return undefined;
    } finally {
      await session.close();
    }
  }
}
