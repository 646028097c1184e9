import { isDirect } from '../../http/direct.js';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import { parseForm, readForm } from '../../http/form.js';
import { isPrefetch } from '../../http/prefetch.js';
import type { RequestEvents } from '../../http/request-events.js';
import { KEYHOST_ADMIN_CONSOLE } from '../../model/built-in-names.js';
import type { Clock } from '../../model/clock.js';
import type { PageWriter } from '../../pages/page-writer.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import { newUserSession } from '../../sessions/new-user-session.js';
import type { Store } from '../../store/store.js';
import { CONSOLE_LOGIN_PATH, type ConsoleLogins } from './console-logins.js';

/** The `authMethod` of the session and the `auth_method` of its event. */
const AUTH_METHOD = 'console';

interface ConsoleLoginParts {
  readonly logins: ConsoleLogins;
  readonly store: Store;
  readonly clock: Clock;
  readonly browsers: BrowserSessions;
  readonly events: RequestEvents;
  readonly pages: PageWriter;
}

/**
 * `…/login-actions/console-login`: signs in with a key of `keyhost console` and redirects to the admin console. It only
 * serves browsers on this machine that connect without a proxy.
 */
export function consoleLoginEndpoint(parts: ConsoleLoginParts): Endpoint {
  const serve = (exchange: Exchange) => signIn(parts, exchange);
  return { path: CONSOLE_LOGIN_PATH, cors: 'none', head: 'nothing', methods: { GET: serve, POST: serve } };
}

async function signIn(parts: ConsoleLoginParts, exchange: Exchange): Promise<void> {
  const { logins, store, clock, browsers, events } = parts;
  const { ctx, realm, ip } = exchange;
  ctx.set('Cache-Control', 'no-store');
  if (isPrefetch(ctx)) {
    ctx.status = 204;
    return;
  }
  if (!isDirect(ctx.req)) return refuse(parts, exchange, 'not_allowed');
  const form = ctx.method === 'POST' ? await readForm(ctx.req) : parseForm(ctx.querystring);
  const keys = form.all('key');
  const redeemed = keys.length === 1 && keys[0] ? await logins.redeem(realm, keys[0]) : undefined;
  if (redeemed === undefined) return refuse(parts, exchange, 'invalid_code');
  const { user, shows } = redeemed;
  const sessionStart = { userId: user.id, ipAddress: ip, authMethod: AUTH_METHOD, notes: {} };
  const session = newUserSession(realm, sessionStart, clock.now());
  const event = {
    type: 'LOGIN',
    clientId: KEYHOST_ADMIN_CONSOLE,
    userId: user.id,
    sessionId: session.id,
    details: { username: user.username, auth_method: AUTH_METHOD },
  };
  await events.emitWithChange(
    exchange,
    () => event,
    () => store.sessions.start(session),
  );
  await browsers.setCookies(exchange, session);
  const consolePath = shows === realm.name ? '' : `realms/${encodeURIComponent(shows)}/clients`;
  ctx.status = 302;
  ctx.set('Location', `${realm.adminUrl}/admin/desk/${consolePath}?realm=${encodeURIComponent(realm.name)}`);
}

async function refuse({ events, pages }: ConsoleLoginParts, exchange: Exchange, error: string): Promise<void> {
  const details = { auth_method: AUTH_METHOD };
  events.emit(exchange, { type: 'LOGIN', error, clientId: KEYHOST_ADMIN_CONSOLE, details });
  const message = { severity: 'error', key: 'consoleLoginRefused' } as const;
  await pages.show(exchange, 400, { page: 'error' }, { client: undefined, message });
}
