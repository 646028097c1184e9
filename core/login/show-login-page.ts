import type { StepPage } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { PageContent, PageExtra, PageWriter } from '../http/page-writer.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import type { AuthenticationSession, AuthenticationSessions } from './authentication-sessions.js';
import type { BrowserSessions } from './browser-sessions.js';
import { loginActionUrl } from './login-action-url.js';
import { mayRegister } from './registration/may-register.js';
import { keepRestart } from './restart-cookie.js';

export interface LoginPageParts {
  readonly pages: PageWriter;
  readonly logins: AuthenticationSessions;
  readonly browsers: BrowserSessions;
  readonly clock: Clock;
}

/** Keeps the login until the page that it waits at is answered, and shows that page. */
export async function showLoginPage(
  { pages, logins, browsers, clock }: LoginPageParts,
  exchange: Exchange,
  login: AuthenticationSession,
  client: Client,
  page: StepPage | Omit<Extract<PageContent, { page: 'consent' }>, 'action'>,
  extra: Pick<PageExtra, 'session' | 'message'> = {},
): Promise<void> {
  const { request } = login;
  logins.keep(exchange, login);
  // A link that belongs to no login does not begin again.
  if (request.linkOnly !== true) await keepRestart(browsers, exchange, login, Math.floor(clock.now() / 1000));
  const address = loginActionUrl(exchange, login, login.at);
  const forgets = page.page === 'login' && exchange.realm.representation.resetPasswordAllowed === true;
  const reset = forgets ? { resetUrl: loginActionUrl(exchange, login, 'reset-credentials') } : {};
  const registers = page.page === 'login' && page.usernameEditable && mayRegister(exchange.realm, login);
  const registration = registers ? { registrationUrl: loginActionUrl(exchange, login, 'registration') } : {};
  await pages.show(exchange, 200, { ...page, ...reset, ...registration, action: address } as PageContent, {
    ...extra,
    client,
    uiLocales: request.uiLocales,
    address,
    // Applications of phones have schemes of their own, and Chromium goes to none that is not named.
    formTargets: ['https:', 'http:', new URL(request.redirectUri).protocol],
  });
}
