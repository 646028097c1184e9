import {
  type ActionToken,
  type ActionTokenContext,
  ActionTokenHandler,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import { createRefusal } from '../../action-tokens/action-token-refusal.js';
import type { SignInLinkActions } from '../../action-tokens/link-logins.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { ActionTokenServices } from './built-in-action-tokens.js';
import { LOGIN_LINK, type StoredLoginLink } from './login-links.js';
import { verifyMailedLink } from './verify-mailed-link.js';

/** The value of the button for a user who did not start the login. */
const DENY_CHOICE = 'none';
const TITLE = { key: 'loginLinkTitle' };
const EXPIRED = 'expiredActionTokenNoSessionMessage';
const INTERRUPTED = 'loginLinkInterrupted';

/**
 * A link that signs its user in, either in the browser that opens it or in the login that waits for it. A login that
 * waits in another browser continues only after the user has chosen the number that its window shows. Otherwise an
 * attacker could start a login, have its link mailed to a victim, and be signed in by the victim's click.
 */
export function loginLink({ users, links, loginLinks, authentications }: ActionTokenServices): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: LOGIN_LINK,
    describe: { displayName: 'Link that signs in', helpText: 'Signs in the user who received the link.' },
    claims: { type: 'object', properties: { eml: { type: 'string' } }, required: ['eml'], additionalProperties: false },
    eventType: 'EXECUTE_ACTION_TOKEN',
    defaultError: 'invalid_token',
    defaultMessage: EXPIRED,
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        return {
          reusable: async () => false,
          async verify(token, context) {
            const refusal = await verifyMailedLink({ users, links, session }, token, context, EXPIRED);
            if (refusal !== undefined) return refusal;
            const storedLink = await loginLinks.find(realm, token.id);
            if (storedLink === undefined) return { error: 'expired_code', message: EXPIRED };
            const { login } = loginInOtherBrowser(storedLink, context) ?? {};
            const isLost = login !== undefined && authentications.isLost(realm.name, login);
            return isLost ? { error: 'expired_code', message: INTERRUPTED } : undefined;
          },
          async confirm(token, context) {
            const waiting = loginInOtherBrowser(await loginLinks.find(realm, token.id), context);
            const application = applicationName(context, realm.view.displayName || realm.name);
            const params = [context.user.username, application];
            if (waiting === undefined) return { title: TITLE, text: { key: 'loginLinkHereText', params } };
            const { browser, ip, choices } = waiting;
            return {
              title: TITLE,
              text: { key: 'loginLinkWaitingText', params: [...params, browser, ip] },
              choices: [
                ...choices.map((number) => ({ value: number, label: { key: number } })),
                { value: DENY_CHOICE, label: { key: 'loginLinkRefuse' } },
              ],
            };
          },
          async requiredActions(token, context): Promise<SignInLinkActions | undefined> {
            const storedLink = await loginLinks.find(realm, token.id);
            if (loginInOtherBrowser(storedLink, context) !== undefined) return undefined;
            const { redirectUri } = storedLink ?? {};
            return { requiredActions: [], provesUser: true, signsIn: { redirectUri } };
          },
          async handle(token, context) {
            const waiting = loginInOtherBrowser(await loginLinks.find(realm, token.id), context);
            const { choice, user } = context;
            // If there is no choice, the page with the choices was not shown, for example because this browser has lost
            // the login.
            if (waiting === undefined || choice === undefined) throw createRefusal('not_allowed', INTERRUPTED);
            if (!(await loginLinks.redeem(realm, token))) throw createRefusal('expired_code', EXPIRED);
            if (choice === DENY_CHOICE) throw createRefusal('rejected_by_user', 'loginLinkRefusedText');
            if (choice !== waiting.number) throw createRefusal('invalid_code', 'loginLinkWrongNumber');
            await loginLinks.approve(realm, waiting.login, {
              userId: user.id,
              id: token.id,
              email: emailOfLoginLink(token),
            });
            return { info: { title: TITLE, text: { key: 'loginLinkApprovedText' } } };
          },
        };
      },
    }),
  });
}

/** The email for which a login link was issued, in lower case; undefined for a token of another type. */
export function emailOfLoginLink({ type, claims }: ActionToken): string | undefined {
  const { eml } = claims;
  return type === LOGIN_LINK && typeof eml === 'string' && eml !== '' ? eml.toLowerCase() : undefined;
}

/** The login that the link completes, if that login waits in another browser. */
function loginInOtherBrowser(
  storedLink: StoredLoginLink | undefined,
  { authenticationSession }: ActionTokenContext,
): StoredLoginLink['waiting'] {
  return authenticationSession.joined ? undefined : storedLink?.waiting;
}

/**
 * The application's display name. Its client ID if it has no name or the name is a message key; the realm's name if the
 * link has no application.
 */
function applicationName({ authenticationSession: { client } }: ActionTokenContext, realmName: string): string {
  if (client === undefined) return realmName;
  const { name, clientId } = client;
  return name === undefined || name === '' || name.startsWith('${') ? clientId : name;
}
