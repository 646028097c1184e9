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
import { type AuthenticationReference, loginActionUrl, readAuthenticationReference } from './login-action-url.js';
import { CONSENT } from './login-consent.js';
import { readRestartCookie } from './restart-cookie.js';

export interface LoginActionParts extends Pick<AuthorizationParts, 'pages' | 'events'> {
  readonly login: BrowserLogin;
  readonly authentications: AuthenticationSessions;
  readonly browsers: BrowserSessions;
}

type ActionHandler<P extends LoginActionParts = LoginActionParts> = (
  parts: P,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  query: Form,
) => Promise<void>;

/** `…/login-actions/*`: login pages post their forms here (Keycloak's LoginActionsService). */
export function loginActionEndpoints(parts: LoginActionParts): Endpoint[] {
  const endpoint = (name: string, run: ActionHandler, methods: readonly ('GET' | 'POST')[]) =>
    loginActionEndpoint(parts, name, run, methods);
  return [
    endpoint('authenticate', flowPageHandler('authenticate'), ['GET', 'POST']),
    endpoint('first-broker-login', flowPageHandler('first-broker-login'), ['GET', 'POST']),
    endpoint('post-broker-login', flowPageHandler('post-broker-login'), ['GET', 'POST']),
    endpoint('required-action', handleRequiredAction, ['GET', 'POST']),
    endpoint(CONSENT, handleConsent, ['GET', 'POST']),
    endpoint('restart', restartLogin, ['GET']),
  ];
}

/** An endpoint for requests in an authentication session, which the request's cookie and `tab_id` identify. */
export function loginActionEndpoint<P extends LoginActionParts>(
  parts: P,
  name: string,
  run: ActionHandler<P>,
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

function serveAction<P extends LoginActionParts>(parts: P, exchange: Exchange, run: ActionHandler<P>): Promise<void> {
  // Scripts that extract a form's URL from a page may post it with HTML escapes.
  const query = parseForm(exchange.ctx.querystring.replaceAll('&amp;', '&'));
  return withAuthentication(parts, exchange, readAuthenticationReference(query), (authentication, client) => {
    const locale = matchLocale(offeredLocales(exchange.realm), query.get('kc_locale') ?? '');
    if (locale !== undefined) authentication.chosenLocale = locale;
    return run(parts, exchange, authentication, client, query);
  });
}

/**
 * Calls `run` with the authentication session that the cookie and these parameters identify. If it is lost, the login
 * restarts from the restart cookie. Without one, a page explains what happened.
 */
export async function withAuthentication(
  parts: LoginActionParts,
  exchange: Exchange,
  { tabId, clientId, encryptedSession }: AuthenticationReference,
  run: (authentication: HostAuthenticationSession, client: Client) => Promise<void>,
): Promise<void> {
  try {
    const authentication = await parts.authentications.find(exchange, tabId ?? '', encryptedSession);
    const client = exchange.realm.clients.get(authentication?.clientId ?? clientId ?? '');
    const lostLogin =
      authentication === undefined ? await readRestartCookie(parts.browsers, exchange, tabId) : undefined;
    if (lostLogin !== undefined && client !== undefined && lostLogin.request.clientId === client.clientId) {
      return await parts.login.restartLost(exchange, lostLogin, client);
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

/** The authenticator of the first broker login flow whose page lets the user return to the profile. */
const CONFIRM_LINK = 'idp-confirm-link';

function flowPageHandler(stage: LoginStage): ActionHandler {
  return async (parts, exchange, authentication, client, query) => {
    const { ctx, realm } = exchange;
    if (authentication.at !== stage || !isFromCurrentPage(authentication, query))
      return showExpired(parts, exchange, authentication, client);
    if (ctx.method !== 'POST') return parts.login.proceed(exchange, authentication, client);
    const form = formValues(await readForm(ctx.req));
    const flow =
      brokeredFlow(realm, authentication) ?? flowOfLogin(realm, client, { ...authentication, flow: 'browser' });
    const execution = findExecution(flow, authentication.waitsFor ?? '');
    if (execution === undefined) return showExpired(parts, exchange, authentication, client);
    const { brokered } = authentication;
    if (brokered !== undefined && execution.authenticator === CONFIRM_LINK && form['cancel-aia'] !== undefined) {
      // Return to the profile, where the user can choose an email or username that is not taken.
      brokered.identity = { ...brokered.identity, review: true };
      resetFlowProgress(authentication);
      return parts.login.proceed(exchange, authentication, client);
    }
    await parts.login.proceed(exchange, authentication, client, { execution, form });
  };
}

async function handleRequiredAction(
  ...[parts, exchange, authentication, client, query]: Parameters<ActionHandler>
): Promise<void> {
  const { ctx } = exchange;
  if (authentication.at !== 'required-action' || !isFromCurrentPage(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  if (ctx.method !== 'POST') return parts.login.proceed(exchange, authentication, client);
  await parts.login.submitRequiredAction(exchange, authentication, client, formValues(await readForm(ctx.req)));
}

async function handleConsent(
  ...[parts, exchange, authentication, client, query]: Parameters<ActionHandler>
): Promise<void> {
  const { ctx } = exchange;
  if (authentication.at !== CONSENT || !isFromCurrentPage(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  if (ctx.method !== 'POST') return parts.login.proceed(exchange, authentication, client);
  const form = await readForm(ctx.req);
  await parts.login.submitConsent(
    exchange,
    authentication,
    client,
    form.isPresent('accept') && !form.isPresent('cancel'),
  );
}

/** Restarts the login in the same tab. */
async function restartLogin(...[parts, exchange, authentication, client]: Parameters<ActionHandler>): Promise<void> {
  if (authentication.request.linkOnly === true)
    throw new PageRefusal('expired_code', { key: 'expiredActionTokenNoSessionMessage' });
  parts.authentications.remove(exchange, authentication);
  await parts.login.begin(exchange, authentication.request, client);
}

/** The fields of a posted form. Several values of one field are joined by newlines. */
export function formValues(form: Form): Record<string, string> {
  const names = [...form.entries()].map(([name]) => name);
  return Object.fromEntries(names.map((name) => [name, form.all(name).join('\n')]));
}

/** True if the request is from the authentication session's current page, and has its code. */
export function isFromCurrentPage(authentication: HostAuthenticationSession, query: Form): boolean {
  return (
    isSameSecret(query.get('session_code'), authentication.code) && query.get('execution') === authentication.waitsFor
  );
}

/** Answers a request from a page whose login is over, because the user navigated back or submitted twice. */
function showLoggedIn({ pages }: LoginActionParts, exchange: Exchange, client: Client): Promise<void> {
  const title = { key: 'alreadyLoggedIn' };
  return pages.show(exchange, 400, { page: 'info', title, ...linkToClient('continueUrl', client) }, { client });
}

/**
 * Answers a request from an outdated page of the authentication session. The user can continue at the current page or
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
