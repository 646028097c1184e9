import type { Context } from 'koa';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const ORIGIN_HEADERS = [ALLOW_ORIGIN, 'Access-Control-Allow-Credentials', 'Access-Control-Expose-Headers'];
const ALLOWED_HEADERS =
  'Origin, Accept, X-Requested-With, Content-Type, Authorization, DPoP, Last-Event-ID, If-Match, If-None-Match';
const REALM_ORIGINS = Symbol('web origins of all clients');

/** An argument for `allowOrigins` that allows no origin. */
export const NO_ORIGINS: ReadonlySet<string> = new Set();

/** For public documents: any origin may read them, without credentials. */
export function allowAnyOrigin(ctx: Context): void {
  ctx.set(ALLOW_ORIGIN, '*');
}

/** For a known client: allows only its configured web origins. */
export function allowOriginsOf(ctx: Context, client: Client): void {
  allowOrigins(ctx, client.webOrigins);
}

/** For an unknown client, for example in an error response: allows the web origins of all clients. */
export function allowOriginsOfRealm(ctx: Context, realm: Realm): void {
  allowOrigins(ctx, realmOrigins(realm));
}

/** The web origins of all enabled clients of a realm, for requests whose client is not known yet. */
export function realmOrigins(realm: Realm): ReadonlySet<string> {
  return realm.derive(REALM_ORIGINS, () => {
    const origins = new Set<string>();
    for (const client of realm.clients.values()) {
      if (client.enabled) for (const origin of client.webOrigins) origins.add(origin);
    }
    return origins;
  });
}

/** Lets pages of these origins read the response, and removes earlier CORS headers. */
export function allowOrigins(ctx: Context, allowed: ReadonlySet<string>): void {
  // Node's own methods: with Koa's, every response of the token endpoint takes 3 % longer.
  const { req, res } = ctx;
  if (res.hasHeader('Vary')) ctx.vary('Origin');
  else res.setHeader('Vary', 'Origin');
  if (res.hasHeader(ALLOW_ORIGIN)) for (const name of ORIGIN_HEADERS) res.removeHeader(name);
  const { origin = '' } = req.headers;
  if (origin === '' || !(allowed.has(origin) || allowed.has('*'))) return;
  ctx.set(ALLOW_ORIGIN, origin);
  ctx.set('Access-Control-Allow-Credentials', 'true');
  ctx.set('Access-Control-Expose-Headers', 'Access-Control-Allow-Methods, ETag, WWW-Authenticate');
}

/**
 * Answers a preflight. It names no client, so an origin is allowed if any client of the realm has it. The request
 * itself is then checked against its own client.
 * @param headers credential headers of the plugins' client authenticators
 */
export function answerPreflight(
  ctx: Context,
  allow: string,
  allowed: 'any' | ReadonlySet<string>,
  headers: readonly string[] = [],
): void {
  ctx.status = 204;
  ctx.set('Allow', allow);
  if (allowed !== 'any') ctx.vary('Origin');
  const origin = ctx.get('origin');
  if (origin === '') return;
  if (allowed !== 'any' && !allowed.has(origin) && !allowed.has('*')) return;
  ctx.set(ALLOW_ORIGIN, allowed === 'any' ? '*' : origin);
  if (allowed !== 'any') ctx.set('Access-Control-Allow-Credentials', 'true');
  ctx.set('Access-Control-Allow-Methods', allow);
  ctx.set('Access-Control-Allow-Headers', [ALLOWED_HEADERS, ...headers].join(', '));
  ctx.set('Access-Control-Max-Age', '3600');
}
