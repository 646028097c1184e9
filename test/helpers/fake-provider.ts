import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import * as jose from 'jose';

/** How a provider's answer deviates at its token endpoint; undefined members are correct. */
export interface Misbehaviour {
  readonly status?: number;
  /** The body instead of the tokens. */
  readonly body?: string;
  /** Replaces claims of the ID token; undefined removes one. */
  readonly claims?: Record<string, unknown>;
  readonly header?: jose.JWTHeaderParameters;
  /** The key that signs, instead of the published one. */
  readonly key?: Parameters<jose.SignJWT['sign']>[0];
  readonly idToken?: string;
  readonly userinfo?: Record<string, unknown> | string;
  /** Parameters of the redirect to the client. */
  readonly answer?: Record<string, string | undefined>;
}

export interface FakeProvider {
  readonly url: string;
  behaves: Misbehaviour;
  /** The forms that the token endpoint received, with their Authorization headers. */
  readonly asked: { form: URLSearchParams; authorization: string | undefined }[];
  /** Signs with a new key from now on. */
  rotate(): Promise<void>;
  /** A token signed with the published key. */
  signed(claims: Record<string, unknown>, header?: object): Promise<string>;
  /** The redirect URI with the provider's answer. */
  back(authorizationUrl: URL): string;
}

/** An OpenID provider whose behaviour tests control: it validates nothing, and any part of its answers may be wrong. */
export async function startFakeProvider(t: Pick<ExecutionContext, 'teardown'>): Promise<FakeProvider> {
  let key = await jose.generateKeyPair('ES256');
  let kid = 'k1';
  const asked: FakeProvider['asked'] = [];
  let nonce: string | undefined;
  const signed = (claims: Record<string, unknown>, header: object = {}, by = provider.behaves.key ?? key.privateKey) =>
    new jose.SignJWT(claims as jose.JWTPayload).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(by);
  const now = () => Math.floor(Date.now() / 1000);
  const provider: FakeProvider = {
    url: '',
    behaves: {},
    asked,
    async rotate() {
      [key, kid] = [await jose.generateKeyPair('ES256'), `${kid}+`];
    },
    signed: (claims, header) => signed(claims, header),
    back(url) {
      nonce = url.searchParams.get('nonce') ?? undefined;
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      const answer = {
        code: 'the-secret-code',
        state: url.searchParams.get('state') ?? '',
        ...provider.behaves.answer,
      };
      for (const [name, value] of Object.entries(answer)) if (value !== undefined) back.searchParams.set(name, value);
      return back.href;
    },
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { behaves, url } = provider;
    const send = (status: number, body: string) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    if (request.url === '/jwks') {
      return send(
        200,
        JSON.stringify({ keys: [{ ...(await jose.exportJWK(key.publicKey)), kid, alg: 'ES256', use: 'sig' }] }),
      );
    }
    if (request.url === '/userinfo') {
      const info = behaves.userinfo ?? { sub: 'u1' };
      return send(200, typeof info === 'string' ? info : JSON.stringify(info));
    }
    if (request.url === '/.well-known/openid-configuration')
      return send(200, behaves.body ?? JSON.stringify(metadata(url)));
    asked.push({
      form: new URLSearchParams(Buffer.concat(chunks).toString()),
      authorization: request.headers.authorization,
    });
    if (behaves.body !== undefined) return send(behaves.status ?? 200, behaves.body);
    const standard = {
      iss: url,
      aud: 'keyhost',
      sub: 'u1',
      iat: now(),
      exp: now() + 60,
      nonce,
      preferred_username: 'fay',
      email: 'fay@fake.test',
      given_name: 'Fay',
      family_name: 'Fake',
    };
    const claims = Object.fromEntries(
      Object.entries({ ...standard, ...behaves.claims }).filter(([, value]) => value !== undefined),
    );
    const idToken = behaves.idToken ?? (await signed(claims, behaves.header));
    send(200, JSON.stringify({ id_token: idToken, access_token: 'the-secret-access-token', token_type: 'Bearer' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return Object.assign(provider, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function metadata(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    userinfo_endpoint: `${url}/userinfo`,
    end_session_endpoint: `${url}/logout`,
  };
}
