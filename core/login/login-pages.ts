import type { Message, OtherWay, StepPage } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { identityProvidersOf } from '../model/identity-provider.js';
import type { PageContent, PageOptions, PageWriter } from '../pages/page-writer.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import type { AuthenticationSessions, HostAuthenticationSession } from './authentication-sessions.js';
import type { StepFiles } from './flows/step-files.js';
import { absoluteUrl, brokerLoginUrl, loginActionUrl } from './login-action-url.js';
import { mayRegister } from './registration/may-register.js';
import { writeRestartCookie } from './restart-cookie.js';

/** The path below `login-actions` that a pending page polls. */
export const POLL_PATH = 'poll';

/** Shows the pages of authentication sessions. */
export class LoginPages {
  readonly #parts: {
    pages: PageWriter;
    authentications: AuthenticationSessions;
    browsers: BrowserSessions;
    clock: Clock;
  };

  constructor(parts: {
    pages: PageWriter;
    authentications: AuthenticationSessions;
    browsers: BrowserSessions;
    clock: Clock;
  }) {
    this.#parts = parts;
  }

  /** Stores the authentication session until its page is answered, and shows the page. */
  async show(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    page: StepPage | Omit<Extract<PageContent, { page: 'consent' }>, 'action'>,
    {
      otherWays = [],
      poll,
      resources,
      ...extra
    }: Pick<PageOptions, 'session' | 'message'> & {
      readonly otherWays?: readonly OtherWay[];
      readonly poll?: { readonly interval: number } | undefined;
      readonly resources?: StepFiles | undefined;
    } = {},
  ): Promise<void> {
    const { request } = authentication;
    await this.#parts.authentications.saveForPage(exchange, authentication);
    await this.#setRestartCookie(exchange, authentication);
    const actionUrl = loginActionUrl(exchange, authentication, authentication.at);
    const links =
      page.page === 'login' && authentication.at === 'authenticate'
        ? alternativesToLogin(exchange, authentication, page)
        : {};
    const offersRegistration =
      page.page === 'login' && page.usernameEditable && mayRegister(exchange.realm, authentication);
    const registration = offersRegistration
      ? { registrationUrl: loginActionUrl(exchange, authentication, 'registration') }
      : {};
    const offersRestart = page.page === 'login' && authentication.typedUsername !== undefined;
    const restart = offersRestart ? { restartUrl: loginActionUrl(exchange, authentication, 'restart') } : {};
    const pollOption = poll && { poll: { ...poll, url: loginActionUrl(exchange, authentication, POLL_PATH) } };
    const ways = otherWays.length > 0 ? { otherWays } : {};
    await this.#parts.pages.show(
      exchange,
      200,
      {
        ...page,
        ...links,
        ...restart,
        ...registration,
        ...ways,
        ...pollOption,
        action: absoluteUrl(exchange, actionUrl),
      } as PageContent,
      {
        ...extra,
        resources,
        client,
        uiLocales: request.uiLocales,
        address: actionUrl,
        // Chromium applies `form-action` to every redirect after a form, including those of applications and identity
        // providers. Their origins are unknown here, so allow both schemes. Custom schemes of mobile apps must be
        // listed.
        formTargets: ['https:', 'http:', new URL(request.redirectUri).protocol],
      },
    );
  }

  /** Shows a message that needs no answer. */
  async showInfo(
    exchange: Exchange,
    client: Client,
    title: Message,
    message: NonNullable<PageOptions['message']>,
  ): Promise<void> {
    await this.#parts.pages.show(exchange, 200, { page: 'info', title }, { client, message });
  }

  /** Stores the authentication session and redirects the browser to an external site. */
  async redirectAway(exchange: Exchange, authentication: HostAuthenticationSession, to: string): Promise<void> {
    const { ctx } = exchange;
    this.#parts.authentications.save(exchange, authentication);
    await this.#setRestartCookie(exchange, authentication);
    ctx.status = 303;
    ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Location', to);
    ctx.body = '';
  }

  async #setRestartCookie(exchange: Exchange, authentication: HostAuthenticationSession): Promise<void> {
    // A link outside a login cannot be restarted.
    if (authentication.request.linkOnly === true) return;
    await writeRestartCookie(
      this.#parts.browsers,
      exchange,
      authentication,
      Math.floor(this.#parts.clock.now() / 1000),
    );
  }
}

/** The links of a login page to password reset and to identity providers. */
function alternativesToLogin(
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  { password }: Extract<StepPage, { page: 'login' }>,
) {
  const { realm } = exchange;
  // If the login has already found its user, an identity provider could only return a different one.
  const providers = [...(authentication.userId === undefined ? identityProvidersOf(realm).values() : [])].filter(
    ({ enabled, hidden, linkOnly }) => enabled && !hidden && !linkOnly,
  );
  return {
    ...(realm.settings.resetPasswordAllowed && password !== false
      ? { resetUrl: loginActionUrl(exchange, authentication, 'reset-credentials') }
      : {}),
    ...(providers.length === 0
      ? {}
      : {
          identityProviders: providers.map(({ alias, displayName }) => ({
            alias,
            displayName,
            url: brokerLoginUrl(exchange, authentication, alias),
          })),
        }),
  };
}
