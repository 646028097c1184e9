import type { Context } from 'koa';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';

const OF_ORIGIN = ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials', 'Access-Control-Expose-Headers'];
const ALLOWED_HEADERS =
  'Origin, Accept, X-Requested-With, Content-Type, Authorization, DPoP, Last-Event-ID, If-Match, If-None-Match';
const REALM_ORIGINS = Symbol('web origins of all clients');

/** For `allowOrigins`: nobody, whatever was allowed before. */
export const NO_ORIGINS: ReadonlySet<string> = new Set();

/** Public documents: any origin may read them, without credentials. */
export function allowAnyOrigin(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', '*');
}

/** Answers a cross-origin request of a known client: its configured web origins and no others. */
export function allowOriginsOf(ctx: Context, client: Client): void {
  allowOrigins(ctx, client.webOrigins);
}

/** Answers a cross-origin request of a client that is not known, such as a refusal: an origin that some client has. */
export function allowOriginsOfRealm(ctx: Context, realm: Realm): void {
  allowOrigins(ctx, realmOrigins(realm));
}

/** The web origins of all enabled clients of a realm: for whoever is not known yet. */
export function realmOrigins(realm: Realm): ReadonlySet<string> {
  return realm.derive(REALM_ORIGINS, () => {
    const origins = new Set<string>();
    for (const client of realm.clients.values()) {
      if (client.enabled) for (const origin of client.webOrigins) origins.add(origin);
    }
    return origins;
  });
}

/** Lets a page of one of these origins read the answer, and takes back what was allowed before. */
export function allowOrigins(ctx: Context, allowed: ReadonlySet<string>): void {
  // Node's own methods: with Koa's every answer of the token endpoint takes 3 % longer.
  const { req, res } = ctx;
  if (res.hasHeader('Vary')) ctx.vary('Origin');
  else res.setHeader('Vary', 'Origin');
  for (const name of OF_ORIGIN) res.removeHeader(name);
  const { origin = '' } = req.headers;
  if (origin === '' || !(allowed.has(origin) || allowed.has('*'))) return;
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Credentials', 'true');
  ctx.set('Access-Control-Expose-Headers', 'Access-Control-Allow-Methods, ETag, WWW-Authenticate');
}

/**
 * A preflight names no client, so the answer allows an origin only when some client of the realm has it; the request
 * itself is then judged by its own client.
 * @param headers by which clients of the realm prove who they are to plugins
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
  ctx.set('Access-Control-Allow-Origin', allowed === 'any' ? '*' : origin);
  if (allowed !== 'any') ctx.set('Access-Control-Allow-Credentials', 'true');
  ctx.set('Access-Control-Allow-Methods', allow);
  ctx.set('Access-Control-Allow-Headers', [ALLOWED_HEADERS, ...headers].join(', '));
  ctx.set('Access-Control-Max-Age', '3600');
}
