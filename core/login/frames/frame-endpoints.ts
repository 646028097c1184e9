import { COOKIE, readCookie } from '../../http/cookies.js';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import { parseForm } from '../../http/form.js';
import { sessionCookieValue } from '../../sessions/browser-sessions.js';
import { writeFramePage } from './frame-page.js';

const PROTOCOL = '/protocol/openid-connect';
const LOGIN_STATUS = `${PROTOCOL}/login-status-iframe.html`;

/** The pages that keycloak-js frames: one checks the session, one checks for third-party cookies. */
export function frameEndpoints(): Endpoint[] {
  const page = (path: string, script: Parameters<typeof writeFramePage>[1]): Endpoint => ({
    path,
    cors: 'none',
    methods: { GET: (exchange) => writeFramePage(exchange, script) },
  });
  return [
    page(LOGIN_STATUS, 'login-status'),
    page(`${PROTOCOL}/3p-cookies/step1.html`, 'cookie-step-1'),
    page(`${PROTOCOL}/3p-cookies/step2.html`, 'cookie-step-2'),
    { path: `${LOGIN_STATUS}/init`, cors: 'none', methods: { GET: init } },
  ];
}

/**
 * Checks whether an application of that origin may query the session of that client: 204 or 403. If `session_state` is
 * given, it is compared: 200 with `unchanged` or `changed`.
 */
function init(exchange: Exchange): void {
  const { ctx } = exchange;
  const query = parseForm(ctx.querystring);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = null;
  ctx.status = mayAsk(exchange, query.get('client_id') ?? '', query.get('origin') ?? '') ? 204 : 403;
  const sessionState = query.get('session_state');
  if (ctx.status !== 204 || sessionState === undefined) return;
  ctx.status = 200;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = readCookie(exchange, COOKIE.session) === sessionCookieValue(sessionState) ? 'unchanged' : 'changed';
}

function mayAsk({ realm }: Exchange, clientId: string, origin: string): boolean {
  const client = realm.clients.get(clientId);
  if (client?.enabled !== true || origin === '') return false;
  return client.webOrigins.has(origin) || client.webOrigins.has('*') || origin === new URL(realm.issuer).origin;
}
