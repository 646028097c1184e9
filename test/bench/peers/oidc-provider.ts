import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/**
 * node-oidc-provider with an unbounded Map as its adapter: the peer of refresh, introspection, metadata, logins and
 * starts. Arguments: an algorithm, the file of its private JWK, and `opaque` for access tokens that are not JWTs.
 */
const stored = new Map<string, Record<string, unknown>>();
const grants = new Map<string, Set<string>>();

class MapAdapter {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  async upsert(id: string, payload: Record<string, unknown>): Promise<void> {
    stored.set(`${this.#name}:${id}`, payload);
    if (this.#name === 'Session' && typeof payload.uid === 'string') stored.set(`uid:${payload.uid}`, payload);
    if (typeof payload.grantId === 'string') {
      const keys = grants.get(payload.grantId) ?? new Set();
      grants.set(payload.grantId, keys.add(`${this.#name}:${id}`));
    }
  }

  async find(id: string): Promise<Record<string, unknown> | undefined> {
    return stored.get(`${this.#name}:${id}`);
  }

  async findByUid(uid: string): Promise<Record<string, unknown> | undefined> {
    return stored.get(`uid:${uid}`);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = stored.get(`${this.#name}:${id}`);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    stored.delete(`${this.#name}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const key of grants.get(grantId) ?? []) stored.delete(key);
  }
}

const alg = process.argv[2] ?? 'RS256';
/** This peer's introspection only accepts opaque tokens. */
const opaque = process.argv[4] === 'opaque';
/** A private JWK. */
const key = JSON.parse(readFileSync(process.argv[3] ?? '', 'utf8'));
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    jwks: { keys: [key] },
    adapter: MapAdapter,
    clients: [
      {
        client_id: 'cc',
        client_secret: 'cc-secret-0123456789',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
      {
        client_id: 'web',
        client_secret: 'web-secret-0123456789',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/cb'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: alg,
      },
    ],
    scopes: ['openid', 'offline_access', 'api'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:api',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: 'urn:api',
          accessTokenTTL: 300,
          ...(opaque ? { accessTokenFormat: 'opaque' } : { accessTokenFormat: 'jwt', jwt: { sign: { alg } } }),
        }),
      },
    },
    // A login without its own page and without a password: the cheapest possible one.
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/login/${uid}` },
    loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ accountId: ctx.oidc.session.accountId, clientId: ctx.oidc.client.clientId });
      grant.addOIDCScope('openid');
      grant.addResourceScope('urn:api', 'api');
      await grant.save();
      return grant;
    },
    pkce: { required: () => false },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: { AccessToken: 300, ClientCredentials: 300, Grant: 86400, IdToken: 300, RefreshToken: 86400, Session: 86400 },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, preferred_username: sub }),
    }),
  } as never);
  const callback = provider.callback();
  // Initial refresh tokens, issued without a browser.
  server.on('request', async (request, response) => {
    if (request.url?.startsWith('/login/')) {
      await provider.interactionFinished(request, response, { login: { accountId: 'alice' } });
      return;
    }
    if (request.url !== '/seed') return callback(request, response);
    const client = await provider.Client.find('web');
    const grant = new provider.Grant({ accountId: 'alice', clientId: 'web' });
    grant.addOIDCScope('openid offline_access');
    grant.addResourceScope('urn:api', 'api');
    const grantId = await grant.save();
    const token = new provider.RefreshToken({
      client,
      accountId: 'alice',
      grantId,
      scope: 'openid offline_access api',
      gty: 'authorization_code',
      resource: 'urn:api',
      rotations: 0,
      iiat: Math.floor(Date.now() / 1000),
    } as never);
    response.end(await token.save());
  });
  process.stdout.write(`ready http=${issuer}\n`);
});
