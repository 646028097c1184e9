import type { Endpoint, Exchange } from '../http/exchange.js';
import { type Form, parseForm, readForm } from '../http/form.js';
import type { Client } from '../model/client.js';
import { linkToClient } from '../model/link-to-client.js';
import { isSameSecret } from '../model/same-secret.js';
import { type AuthorizationParts, answerAuthorizationError } from '../oidc/authorization/authorization-endpoint.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import { matchLocale, offeredLocales } from '../pages/locale/locale.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import type { AuthenticationSessions, HostAuthenticationSession, LoginStage } from './authentication-sessions.js';
import type { BrowserLogin } from './browser-login.js';
import { brokeredFlow, resetFlowProgress } from './flows/brokered-logins.js';
import { flowOfLogin } from './flows/flow-of-login.js';
import { findExecution } from './flows/run-flow.js';
import { loginActionUrl, type NamedAuthentication, namedAuthentication } from './login-action-url.js';
import { CONSENT } from './login-consent.js';
import { readRestartCookie } from './restart-cookie.js';

export interface LoginActionParts extends Pick<AuthorizationParts, 'pages' | 'events'> {
  readonly login: BrowserLogin;
  readonly authentications: AuthenticationSessions;
  readonly browsers: BrowserSessions;
}

type Run<P extends LoginActionParts = LoginActionParts> = (
  parts: P,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  query: Form,
) => Promise<void>;

/** `…/login-actions/*`: the forms of login pages are posted here (Keycloak's LoginActionsService). */
export function loginActionEndpoints(parts: LoginActionParts): Endpoint[] {
  const endpoint = (name: string, run: Run, methods: readonly ('GET' | 'POST')[]) =>
    loginActionEndpoint(parts, name, run, methods);
  return [
    endpoint('authenticate', flowPages('authenticate'), ['GET', 'POST']),
    endpoint('first-broker-login', flowPages('first-broker-login'), ['GET', 'POST']),
    endpoint('post-broker-login', flowPages('post-broker-login'), ['GET', 'POST']),
    endpoint('required-action', requiredAction, ['GET', 'POST']),
    endpoint(CONSENT, consent, ['GET', 'POST']),
    endpoint('restart', restart, ['GET']),
  ];
}

/** An endpoint for the authentication session that the request's cookie and `tab_id` name. */
export function loginActionEndpoint<P extends LoginActionParts>(
  parts: P,
  name: string,
  run: Run<P>,
  methods: readonly ('GET' | 'POST')[],
): Endpoint {
  return {
    path: `/login-actions/${name}`,
    cors: 'none',
    methods: Object.fromEntries(
      methods.map((method) => [method, (exchange: Exchange) => serveAction(parts, exchange, run)]),
    ),
  };
}

function serveAction<P extends LoginActionParts>(parts: P, exchange: Exchange, run: Run<P>): Promise<void> {
  // Scripts that extract a form's URL from a page may post it with HTML escapes.
  const query = parseForm(exchange.ctx.querystring.replaceAll('&amp;', '&'));
  return withAuthentication(parts, exchange, namedAuthentication(query), (authentication, client) => {
    const locale = matchLocale(offeredLocales(exchange.realm), query.get('kc_locale') ?? '');
    if (locale !== undefined) authentication.chosenLocale = locale;
    return run(parts, exchange, authentication, client, query);
  });
}

/**
 * Runs `run` with the authentication session of the cookie and these parameters, or begins the login again if it is
 * lost.
 */
export async function withAuthentication(
  parts: LoginActionParts,
  exchange: Exchange,
  { tabId, clientId, carried }: NamedAuthentication,
  run: (authentication: HostAuthenticationSession, client: Client) => Promise<void>,
): Promise<void> {
  try {
    const authentication = await parts.authentications.find(exchange, tabId ?? '', carried);
    const client = exchange.realm.clients.get(authentication?.clientId ?? clientId ?? '');
    const lost = authentication === undefined ? await readRestartCookie(parts.browsers, exchange, tabId) : undefined;
    if (lost !== undefined && client !== undefined && lost.request.clientId === client.clientId) {
      return await parts.login.restartLost(exchange, lost, client);
    }
    if (authentication === undefined || client?.enabled !== true || clientId !== authentication.clientId) {
      if (client !== undefined && (await parts.browsers.current(exchange)) !== undefined) {
        return await showLoggedIn(parts, exchange, client);
      }
      throw new PageRefusal('expired_code', { key: 'expiredCodeMessage' }, { client });
    }
    await run(authentication, client);
  } catch (error) {
    await answerAuthorizationError(parts, exchange, error);
  }
}

/** The step of the first broker login flow that offers to go back to the profile. */
const CONFIRM_LINK = 'idp-confirm-link';

function flowPages(stage: LoginStage): Run {
  return async (parts, exchange, authentication, client, query) => {
    const { ctx, realm } = exchange;
    if (authentication.at !== stage || !isCurrent(authentication, query))
      return showExpired(parts, exchange, authentication, client);
    if (ctx.method !== 'POST') return parts.login.proceed(exchange, authentication, client);
    const form = formValues(await readForm(ctx.req));
    const flow =
      brokeredFlow(realm, authentication) ?? flowOfLogin(realm, client, { ...authentication, flow: 'browser' });
    const execution = findExecution(flow, authentication.waitsFor ?? '');
    if (execution === undefined) return showExpired(parts, exchange, authentication, client);
    const { brokered } = authentication;
    if (brokered !== undefined && execution.authenticator === CONFIRM_LINK && form['cancel-aia'] !== undefined) {
      // Back to the profile: another email or username may be free.
      brokered.identity = { ...brokered.identity, review: true };
      resetFlowProgress(authentication);
      return parts.login.proceed(exchange, authentication, client);
    }
    await parts.login.proceed(exchange, authentication, client, { execution, form });
  };
}

async function requiredAction(...[parts, exchange, authentication, client, query]: Parameters<Run>): Promise<void> {
  const { ctx } = exchange;
  if (authentication.at !== 'required-action' || !isCurrent(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  if (ctx.method !== 'POST') return parts.login.proceed(exchange, authentication, client);
  await parts.login.submitRequiredAction(exchange, authentication, client, formValues(await readForm(ctx.req)));
}

async function consent(...[parts, exchange, authentication, client, query]: Parameters<Run>): Promise<void> {
  const { ctx } = exchange;
  if (authentication.at !== CONSENT || !isCurrent(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  if (ctx.method !== 'POST') return parts.login.proceed(exchange, authentication, client);
  const form = await readForm(ctx.req);
  await parts.login.submitConsent(exchange, authentication, client, form.given('accept') && !form.given('cancel'));
}

/** Begins the login again in the same tab. */
async function restart(...[parts, exchange, authentication, client]: Parameters<Run>): Promise<void> {
  if (authentication.request.linkOnly === true)
    throw new PageRefusal('expired_code', { key: 'expiredActionTokenNoSessionMessage' });
  parts.authentications.remove(exchange, authentication);
  await parts.login.begin(exchange, authentication.request, client);
}

/** The fields of a posted page. A field with several values has them joined by newlines. */
export function formValues(form: Form): Record<string, string> {
  const names = [...form.entries()].map(([name]) => name);
  return Object.fromEntries(names.map((name) => [name, form.all(name).join('\n')]));
}

/** True if the request comes from the page that the authentication session is waiting at, and has that page's code. */
export function isCurrent(authentication: HostAuthenticationSession, query: Form): boolean {
  return (
    isSameSecret(query.get('session_code'), authentication.code) && query.get('execution') === authentication.waitsFor
  );
}

/** Answers a request from a page whose authentication session is over: the user navigated back or submitted twice. */
function showLoggedIn({ pages }: LoginActionParts, exchange: Exchange, client: Client): Promise<void> {
  const title = { key: 'alreadyLoggedIn' };
  return pages.show(exchange, 400, { page: 'info', title, ...linkToClient('continueUrl', client) }, { client });
}

/**
 * Answers a request from an outdated page of the authentication session. The user can continue at the newest or
 * restart.
 */
export function showExpired(
  parts: LoginActionParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
): Promise<void> {
  return parts.pages.show(
    exchange,
    400,
    {
      page: 'page-expired',
      restartUrl: loginActionUrl(exchange, authentication, 'restart'),
      continueUrl: loginActionUrl(exchange, authentication, authentication.at),
    },
    { client },
  );
}
