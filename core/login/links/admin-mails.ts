import type { LinkMails } from '../../action-tokens/link-mails.js';
import { defined } from '../../model/defined.js';
import type { User } from '../../model/user.js';
import { chooseLocale } from '../../pages/locale/locale.js';
import { listedAction } from '../../realms/listed-required-actions.js';
import type { CalledRealm } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { nameOf, providerOf } from '../required-actions/action-providers.js';
import { EXECUTE_ACTIONS_MAIL } from './execute-actions.js';
import { clientProblem } from './requested-client.js';
import { VERIFY_EMAIL_MAIL } from './verify-email-link.js';

/** Mails that admins send to users (Keycloak's UserResource.executeActionsEmail). */
export class AdminMails {
  readonly #mails: LinkMails;
  readonly #sessions: SessionFactory;

  constructor(parts: { mails: LinkMails; sessions: SessionFactory }) {
    this.#mails = parts.mails;
    this.#sessions = parts.sessions;
  }

  /**
   * @param mail.actions undefined: only the email is verified
   * @param mail.lifespan seconds; undefined: `actionTokenGeneratedByAdminLifespan`
   * @returns the problem with the request, in Keycloak's words
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
    const session = this.#sessions.create(realm, caller, 'keyhost');
    try {
      const enabled = (actions ?? []).map((alias) => {
        const listed = listedAction(realm, alias);
        return listed && providerOf(session, listed);
      });
      if (enabled.includes(undefined)) return 'Provided invalid required actions';
      const [own] = user.view.attributes.locale ?? [];
      const wishes = { kcLocale: own, uiLocales: undefined, cookie: undefined, acceptLanguage: undefined };
      await this.#mails.send(session, user, {
        kind: actions === undefined ? VERIFY_EMAIL_MAIL : EXECUTE_ACTIONS_MAIL,
        requestSource: 'admin',
        locale: chooseLocale(realm, wishes),
        expiresIn: lifespan ?? realm.lifespans.actionTokenByAdmin,
        ...defined({ clientId }),
        ...(actions === undefined ? {} : { claims: { rqac: [...actions], ...defined({ reduri: redirectUri }) } }),
        actions: enabled.flatMap((one) => (one === undefined ? [] : [nameOf(one)])),
      });
      return undefined;
    } finally {
      await session.close();
    }
  }
}
