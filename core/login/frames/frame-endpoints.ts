import { COOKIE, readCookie } from '../../http/cookies.js';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import { parseForm } from '../../http/form.js';
import { sessionCookieValue } from '../../sessions/browser-sessions.js';
import { writeFramePage } from './frame-page.js';

const PROTOCOL = '/protocol/openid-connect';
const LOGIN_STATUS = `${PROTOCOL}/login-status-iframe.html`;

/** The endpoints that keycloak-js loads in frames: one checks the session, the others check for third-party cookies. */
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
    { path: `${LOGIN_STATUS}/init`, cors: 'none', methods: { GET: checkOrigin } },
  ];
}

/**
 * Checks whether an application of this origin may query the session of this client: 204 or 403. With `session_state`,
 * also compares it with the browser's: 200 with `unchanged` or `changed`.
 */
function checkOrigin(exchange: Exchange): void {
  const { ctx } = exchange;
  const query = parseForm(ctx.querystring);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = null;
  ctx.status = mayQuerySession(exchange, query.get('client_id') ?? '', query.get('origin') ?? '') ? 204 : 403;
  const sessionState = query.get('session_state');
  if (ctx.status !== 204 || sessionState === undefined) return;
  ctx.status = 200;
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = readCookie(exchange, COOKIE.session) === sessionCookieValue(sessionState) ? 'unchanged' : 'changed';
}

function mayQuerySession({ realm }: Exchange, clientId: string, origin: string): boolean {
  const client = realm.clients.get(clientId);
  if (client?.enabled !== true || origin === '') return false;
  return client.webOrigins.has(origin) || client.webOrigins.has('*') || origin === new URL(realm.issuer).origin;
}
