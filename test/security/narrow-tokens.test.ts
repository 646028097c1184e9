import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { administered, adminToken } from '../helpers/admin.js';
import { type Answer, claimsOf, fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { basic, bearer, logIn, NL, SVC, serviceToken, WEB } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { ACCESS_TOKEN, ALICE, NAKED, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** Each route returns its caller. `plugin.js` of two packages, one of which accepts any token. */
const plugin = (name: string, more = '') => `import { GrpcService, provide, RealmResourceProvider } from '@keyhost/spi';
const who = (session) => async () => ({ body: { user: (await session.authenticate()).userId ?? 'none' } });
export default { name: '${name}', api: 1, ${more} providers: [provide(RealmResourceProvider, {
  id: '${name}',
  routes: {
    declared: { method: 'GET', path: '/declared', authentication: 'bearer' },
    asked: { method: 'GET', path: '/asked' },
    either: { method: 'GET', path: '/either', authentication: 'any' },
    scoped: { method: 'GET', path: '/scoped', scope: '${name}:read' },
    reader: { method: 'GET', path: '/reader', role: 'reader' },
  },
  open: () => ({ create: (session) => ({
    declared: who(session), asked: who(session), either: who(session), scoped: who(session), reader: who(session),
  }) }),
})] };`;

const GRPC = pluginSource(import.meta.url, 'plugins/calls.js');
const PROTO = `syntax = "proto3"; package test.narrow; message Text { string text = 1; }
service Calls { rpc who (Text) returns (Text); rpc scoped (Text) returns (Text); }`;

const SCOPES = ['orders', 'orders:read', 'calls:read'];

function realm(): RealmRepresentation {
  const demo = testRealm('demo', {
    providers: {
      'realm-restapi-extension': { orders: { enabled: true }, inside: { enabled: true }, open: { enabled: true } },
      'grpc-service': { calls: { enabled: true } },
    },
  });
  const audience = (clientId: string, mapped: string) => ({
    clientId,
    secret: `${clientId}-secret`,
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: true,
    protocolMappers: [
      {
        name: 'audience',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-audience-mapper',
        config: { 'included.custom.audience': mapped, 'access.token.claim': 'true' },
      },
    ],
  });
  const dynamic = demo.clientScopes ?? [];
  return {
    ...demo,
    clientScopes: [...dynamic, ...SCOPES.map((name) => ({ name, protocol: 'openid-connect' }))],
    clients: [
      ...(demo.clients ?? []).map((client) =>
        client.clientId !== 'nl'
          ? client
          : {
              ...client,
              optionalClientScopes: ['newsletterscope', ...SCOPES],
              impersonation: {
                enabled: true,
                scopes: ['newsletterscope*', ...SCOPES],
                audiences: ['newsletter-api', 'orders', 'calls'],
              },
            },
      ),
      { clientId: 'orders', bearerOnly: true },
      { clientId: 'calls', bearerOnly: true },
      audience('elsewhere', 'api-x'),
      audience('ours', 'orders'),
    ],
  };
}

const shared = shareHost(
  test,
  administered({
    realms: [realm()],
    plugins: [
      { module: 'orders' },
      { module: 'inside', isolation: 'worker' },
      { module: 'open', grants: { demo: ['any-token'] } },
      { module: 'calls', config: { 'grpc-service/calls': { authentication: 'bearer' } } },
    ],
    packages: {
      orders: plugin('orders'),
      inside: plugin('inside'),
      open: plugin('open', "needs: { 'any-token': 'It shows who somebody is.' },"),
      calls: {
        'package.json': JSON.stringify({ name: 'calls', version: '1.0.0', type: 'module', exports: './index.js' }),
        'index.js': GRPC,
        'proto/calls.proto': PROTO,
      },
    },
  }),
);

/** A token that acts for alice, with one audience and one scope, like that of a newsletter link. */
async function narrow(host: TestHost, audience = 'newsletter-api', scope = 'newsletterscope42'): Promise<string> {
  const form = { ...NL, grant_type: NAKED, requested_subject: ALICE, scope, audience };
  const { json } = await host.token('demo', form);
  if (json.access_token === undefined) throw new Error(JSON.stringify(json));
  return json.access_token;
}

const call = (host: TestHost, token: string, path: string): Promise<Answer> =>
  fetchAnswer(`${host.realm('demo')}/${path}`, { headers: bearer(token) });
const ROUTES = ['declared', 'asked', 'either', 'scoped', 'reader'];

test('T866 · narrow tokens: one with another audience and scope is refused at all paths of a plugin', async (t) => {
  const host = shared();
  const token = await narrow(host);
  for (const name of ['orders', 'inside']) {
    for (const route of ROUTES) {
      const { status, json, headers } = await call(host, token, `${name}/${route}`);
      t.deepEqual([status, json.error], [403, 'insufficient_scope'], `${name}/${route}`);
      const message = `The access token is for newsletter-api only. ${name} requires the audience or the scope ${name}`;
      t.is(json.error_description, message);
      const scope = route === 'scoped' ? `${name}:read` : name;
      t.regex(headers.get('www-authenticate') ?? '', new RegExp(`error="insufficient_scope", scope="${scope}"`));
    }
  }
});

test('T867 · narrow tokens: ordinary tokens of any client are accepted as before', async (t) => {
  const host = shared();
  const { access_token } = await logIn(host);
  const service = await serviceToken(host, SVC);
  for (const name of ['orders', 'inside']) {
    for (const route of ['declared', 'asked', 'either', 'reader']) {
      t.is((await call(host, access_token, `${name}/${route}`)).json.user, ALICE, `${name}/${route}`);
    }
    t.is((await call(host, service, `${name}/asked`)).status, 200);
    const headers = basic('svc', 'svc-secret');
    t.is((await fetchAnswer(`${host.realm('demo')}/${name}/either`, { headers })).status, 200);
    t.is((await call(host, access_token, `${name}/scoped`)).status, 403);
  }
});

test('T868 · narrow tokens: the plugin’s audience, its scope or the scope of a route makes a narrow token acceptable', async (t) => {
  const host = shared();
  const statuses = async (token: string) =>
    Promise.all(ROUTES.map(async (route) => (await call(host, token, `orders/${route}`)).status));
  // An impersonation token has no roles, for any audience.
  t.deepEqual(await statuses(await narrow(host, 'orders')), [200, 200, 200, 403, 403]);
  t.deepEqual(await statuses(await narrow(host, 'newsletter-api', 'orders')), [200, 200, 200, 403, 403]);
  t.deepEqual(await statuses(await narrow(host, 'newsletter-api', 'orders:read')), [403, 403, 403, 200, 403]);
  t.is((await call(host, await narrow(host, 'orders'), 'inside/asked')).status, 403, 'another plugin');
});

test('T869 · narrow tokens: tokens that were exchanged for another audience, or have one by a mapper, are for that one', async (t) => {
  const host = shared();
  const password = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };
  const of = async (form: Record<string, string>) => String((await host.token('demo', form)).json.access_token);
  const elsewhere = await of({ ...password, client_id: 'elsewhere', client_secret: 'elsewhere-secret' });
  t.deepEqual([claimsOf(elsewhere).aud].flat().includes('api-x'), true);
  t.is((await call(host, elsewhere, 'orders/asked')).status, 403);
  t.is((await call(host, elsewhere, 'inside/reader')).status, 403);
  const own = { grant_type: 'client_credentials', client_id: 'elsewhere', client_secret: 'elsewhere-secret' };
  t.is((await call(host, await of(own), 'orders/asked')).status, 403, 'a service account has no more');
  const ours = await of({ ...password, client_id: 'ours', client_secret: 'ours-secret' });
  t.is((await call(host, ours, 'orders/reader')).status, 200);
  t.is((await call(host, ours, 'inside/reader')).status, 403);
  const { access_token } = await logIn(host);
  const exchange = { ...WEB, grant_type: NAKED, subject_token: access_token, subject_token_type: ACCESS_TOKEN };
  const exchanged = await host.token('demo', { ...exchange, audience: 'account' });
  t.is(exchanged.status, 200);
  t.is((await call(host, String(exchanged.json.access_token), 'orders/asked')).status, 403);
});

test('T870 · narrow tokens: a plugin that accepts any token declares that, and the operator grants and sees it', async (t) => {
  const host = shared();
  t.is((await call(host, await narrow(host), 'open/asked')).json.user, ALICE);
  const headers = bearer(await (await adminToken(host, {}))());
  const shown = await fetchAnswer(`${host.url}/admin/plugins`, { headers });
  const { plugins } = shown.json as unknown as { plugins: { module: string; needs?: object; grants?: object }[] };
  const one = plugins.find(({ module }) => module === 'open');
  t.like(one, { grants: { demo: ['any-token'] } });
  t.regex(JSON.stringify(one?.needs), /any-token.*It shows who somebody is/);
  await t.throwsAsync(
    startHost(t, {
      plugins: [{ module: 'open' }],
      packages: { open: plugin('open', "needs: { 'any-token': 'It shows who somebody is.' },") },
    }),
    { message: /requires rights that are not granted: any-token \(It shows who somebody is\.\)/ },
  );
});

test('T871 · narrow tokens: one calls no gRPC method, unless the method has its scope or it is for the service', async (t) => {
  const host = shared();
  const client = new Client(host.grpcAddress ?? '', credentials.createInsecure());
  t.teardown(() => client.close());
  const ask = (method: string, token: string) =>
    new Promise<ServiceError | null>((resolve) => {
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${token}`);
      const path = `/test.narrow.Calls/${method}`;
      client.makeUnaryRequest(
        path,
        () => Buffer.alloc(0),
        (bytes) => bytes,
        {},
        metadata,
        (error) => resolve(error),
      );
    });
  const refused = await ask('who', await narrow(host));
  t.is(refused?.code, status.PERMISSION_DENIED);
  t.regex(refused?.details ?? '', /calls requires the audience or the scope calls/);
  t.is((await ask('scoped', await narrow(host)))?.code, status.PERMISSION_DENIED);
  t.is(await ask('who', await narrow(host, 'calls')), null);
  t.is(await ask('scoped', await narrow(host, 'newsletter-api', 'calls:read')), null);
  t.is(await ask('who', (await logIn(host)).access_token), null);
});
