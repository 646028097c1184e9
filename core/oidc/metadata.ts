import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { writeJson } from '../http/errors.js';
import type { Endpoint, Exchange } from '../http/exchange.js';
import type { KeyRing } from '../keys/key-ring.js';
import { publishedAlgorithms } from '../keys/published-algorithms.js';
import { discoveryDocument } from './discovery-document.js';

const CACHE_CONTROL = 'no-cache, must-revalidate, no-transform';

/** A document that is serialised once and sent as a buffer, with an ETag. */
interface Document {
  readonly body: Buffer;
  readonly etag: string;
}

/**
 * Any origin may read it. As in Keycloak it is also served in a disabled realm, so that resource servers can still
 * verify its tokens.
 */
const PUBLIC_ENDPOINT = { cors: 'any', servesDisabledRealms: true } as const;
const DISCOVERY = Symbol('discovery document');
const etags = new WeakMap<Buffer, string>();

/** The endpoints of discovery, JWKS and the realm's root document. */
export function metadataEndpoints(parts: { keys: KeyRing }): Endpoint[] {
  const discovery = ({ ctx, realm }: Exchange) =>
    sendDocument(
      ctx,
      ctx.providers.derive(realm, DISCOVERY, () =>
        toDocument(Buffer.from(JSON.stringify(discoveryDocument(realm, ctx.providers)))),
      ),
    );
  return [
    { path: '/.well-known/openid-configuration', ...PUBLIC_ENDPOINT, methods: { GET: discovery } },
    { path: '/.well-known/oauth-authorization-server', ...PUBLIC_ENDPOINT, methods: { GET: discovery } },
    {
      path: '/protocol/openid-connect/certs',
      ...PUBLIC_ENDPOINT,
      methods: {
        GET: async ({ ctx, realm }) => {
          const jwks = await (await parts.keys.realm(realm.name)).jwks(publishedAlgorithms(realm));
          sendDocument(ctx, toDocument(jwks));
        },
      },
    },
    { path: '', ...PUBLIC_ENDPOINT, methods: { GET: (exchange) => realmRoot(parts.keys, exchange) } },
  ];
}

/** Keycloak's PublishedRealmRepresentation. */
async function realmRoot(keys: KeyRing, { ctx, realm }: Exchange): Promise<void> {
  const publicKey = await (await keys.realm(realm.name)).publicKeyOf(realm.defaultSignatureAlgorithm);
  ctx.set('Cache-Control', CACHE_CONTROL);
  writeJson(ctx, 200, {
    realm: realm.name,
    public_key: publicKey,
    'token-service': `${realm.issuer}/protocol/openid-connect`,
    'account-service': `${realm.issuer}/account`,
    'tokens-not-before': realm.notBefore,
  });
  ctx.res.setHeader('Content-Type', 'application/json;charset=UTF-8');
}

function toDocument(body: Buffer): Document {
  let etag = etags.get(body);
  if (etag === undefined) {
    etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    etags.set(body, etag);
  }
  return { body, etag };
}

function sendDocument(ctx: Context, { body, etag }: Document): void {
  ctx.res.setHeader('Cache-Control', CACHE_CONTROL);
  ctx.res.setHeader('ETag', etag);
  if (ctx.req.headers['if-none-match'] === etag) {
    ctx.status = 304;
    return;
  }
  writeJson(ctx, 200, body);
}
