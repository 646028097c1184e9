import { createHash } from 'node:crypto';
import { GrantType } from '@keyhost/spi';
import type { Context } from 'koa';
import { writeJson } from '../http/errors.js';
import type { Endpoint, Exchange } from '../http/exchange.js';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import { publishedAlgorithms } from '../keys/published-algorithms.js';
import type { Realm } from '../model/realm.js';
import { levelsOf } from '../realms/flows/flow-levels.js';
import { browserFlow } from '../realms/flows/flow-model.js';
import type { Generation } from '../registry/generations/generation.js';
import { enabledProvider } from '../registry/generations/realm-providers.js';
import { acrValues, PLAIN_LEVEL } from '../tokens/acr.js';
import { DEVICE_AUTHORIZATION_PATH } from './devices/device-authorization.js';
import { DEVICE_CODE_GRANT } from './grants/device-code.js';

const CACHE_CONTROL = 'no-cache, must-revalidate, no-transform';
const CLIENT_AUTHENTICATION = ['private_key_jwt', 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'];

/** A document that is written once and answered as a buffer, with an ETag. */
interface Document {
  readonly body: Buffer;
  readonly etag: string;
}

const DISCOVERY = Symbol('discovery document');
const etags = new WeakMap<Buffer, string>();

/** Discovery, JWKS and the realm's root document: public, the same for everyone, readable from any origin. */
export function metadataEndpoints(parts: { keys: KeyRing }): Endpoint[] {
  const discovery = ({ ctx, realm }: Exchange) =>
    send(
      ctx,
      ctx.providers.derive(realm, DISCOVERY, () =>
        document(Buffer.from(JSON.stringify(describe(realm, ctx.providers)))),
      ),
    );
  return [
    { path: '/.well-known/openid-configuration', cors: 'any', methods: { GET: discovery } },
    { path: '/.well-known/oauth-authorization-server', cors: 'any', methods: { GET: discovery } },
    {
      path: '/protocol/openid-connect/certs',
      cors: 'any',
      methods: {
        GET: async ({ ctx, realm }) => {
          const jwks = await (await parts.keys.realm(realm.name)).jwks(publishedAlgorithms(realm));
          send(ctx, document(jwks));
        },
      },
    },
    { path: '', cors: 'any', evenDisabled: true, methods: { GET: (exchange) => realmRoot(parts.keys, exchange) } },
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

/** OpenID Connect Discovery §3 and RFC 8414 §2: what works here, and nothing that does not. */
function describe(realm: Realm, providers: Generation): Record<string, unknown> {
  const protocol = `${realm.issuer}/protocol/openid-connect`;
  const levels = [...new Set(levelsOf(browserFlow(realm)).map(({ level }) => level))];
  const authentication = (endpoint: string) => ({
    [`${endpoint}_endpoint_auth_methods_supported`]: CLIENT_AUTHENTICATION,
    [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS],
  });
  return {
    issuer: realm.issuer,
    authorization_endpoint: `${protocol}/auth`,
    token_endpoint: `${protocol}/token`,
    introspection_endpoint: `${protocol}/token/introspect`,
    userinfo_endpoint: `${protocol}/userinfo`,
    revocation_endpoint: `${protocol}/revoke`,
    jwks_uri: `${protocol}/certs`,
    grant_types_supported: providers
      .all(GrantType)
      .map(({ id }) => id)
      .filter((id) => enabledProvider(providers, realm, GrantType, id) !== undefined)
      .sort(),
    ...(enabledProvider(providers, realm, GrantType, DEVICE_CODE_GRANT) === undefined
      ? {}
      : { device_authorization_endpoint: `${realm.issuer}${DEVICE_AUTHORIZATION_PATH}` }),
    pushed_authorization_request_endpoint: `${protocol}/ext/par/request`,
    require_pushed_authorization_requests: false,
    end_session_endpoint: `${protocol}/logout`,
    registration_endpoint: `${realm.issuer}/clients-registrations/openid-connect`,
    check_session_iframe: `${protocol}/login-status-iframe.html`,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    response_types_supported: ['code', 'none'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    prompt_values_supported: [
      ...['none', 'login', 'consent'],
      ...(realm.settings.registrationAllowed ? ['create'] : []),
    ],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
    userinfo_signing_alg_values_supported: [...ASYMMETRIC_ALGORITHMS, 'none'],
    ...authentication('token'),
    ...authentication('introspection'),
    ...authentication('revocation'),
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'name', 'given_name', 'family_name'],
      ...['preferred_username', 'email', 'acr', 'azp', 'nonce'],
    ],
    acr_values_supported: acrValues(realm, levels.length === 0 ? [0, PLAIN_LEVEL] : levels),
    claim_types_supported: ['normal'],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    scopes_supported: [
      'openid',
      ...[...realm.scopes.values()].filter((s) => s.includeInMetadata).map((s) => s.pattern ?? s.name),
    ],
  };
}

function document(body: Buffer): Document {
  let etag = etags.get(body);
  if (etag === undefined) {
    etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    etags.set(body, etag);
  }
  return { body, etag };
}

function send(ctx: Context, { body, etag }: Document): void {
  ctx.res.setHeader('Cache-Control', CACHE_CONTROL);
  ctx.res.setHeader('ETag', etag);
  if (ctx.req.headers['if-none-match'] === etag) {
    ctx.status = 304;
    return;
  }
  writeJson(ctx, 200, body);
}
