import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { unsupportedProtections } from '../../core/config/settings/ignored-settings.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, clientUuid, startAdministered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const PRODUCTION = ['--hostname', 'https://id.example.test', '--http-enabled'];
const PUSHED = 'require.pushed.authorization.requests';

/** The realm with this attribute of its client `web`. */
function withAttribute(name: string, value: string): RealmRepresentation {
  const realm = testRealm('demo', { providers: {} });
  const clients = realm.clients?.map((client) =>
    client.clientId === 'web' ? { ...client, attributes: { ...client.attributes, [name]: value } } : client,
  );
  return { ...realm, clients: clients ?? [] };
}

test('T329 · unsupported protections: a client that takes pushed requests alone gets no login by any other', async (t) => {
  const host = await startHost(t, { realms: [withAttribute(PUSHED, 'true')] });
  const { url } = codeRequest(host);
  const query = new URL(url).searchParams;
  const direct = await Promise.all([
    fetchAnswer(url),
    fetchAnswer(url.replace('/auth?', '/registrations?')),
    fetchAnswer(`${host.oidc('demo')}/auth`, { method: 'POST', body: query }),
    fetchAnswer(`${url}&response_mode=form_post`),
  ]);
  for (const { status, headers, text } of direct.slice(0, 3)) {
    t.is(status, 302, text);
    const back = new URL(headers.get('location') ?? '');
    t.is(back.origin + back.pathname, CALLBACK);
    t.is(back.searchParams.get('error'), 'invalid_request');
    t.is(back.searchParams.get('error_description'), 'Pushed Authorization Request is only allowed.');
    t.is(back.searchParams.get('state'), 'the-state');
  }
  t.regex(direct[3]?.text ?? '', /name="error" value="invalid_request"/);
  const form = new URLSearchParams([...query, ['client_secret', 's3cret:+/%&é']]);
  const pushed = await fetchAnswer(`${host.oidc('demo')}/ext/par/request`, { method: 'POST', body: form });
  t.is(pushed.status, 201, pushed.text);
  const address = `${host.oidc('demo')}/auth?${new URLSearchParams({ client_id: 'web', request_uri: String(pushed.json.request_uri) })}`;
  const { location } = await signIn(new Browser(), address);
  t.truthy(location?.searchParams.get('code'));
});

const PROMISES: readonly (readonly [string, string])[] = [
  ['dpop.bound.access.tokens', 'true'],
  ['tls.client.certificate.bound.access.tokens', 'true'],
  ['request.object.required', 'request only'],
  ['request.object.signature.alg', 'ES256'],
  ['request.object.encryption.alg', 'RSA-OAEP'],
  ['request.object.encryption.enc', 'A256GCM'],
  ['authorization.signed.response.alg', 'ES256'],
  ['authorization.encrypted.response.alg', 'RSA-OAEP'],
  ['authorization.encrypted.response.enc', 'A256GCM'],
  ['id.token.encrypted.response.alg', 'RSA-OAEP'],
  ['id.token.encrypted.response.enc', 'A256GCM'],
  ['id.token.as.detached.signature', 'true'],
  ['user.info.encrypted.response.alg', 'RSA-OAEP'],
  ['user.info.encrypted.response.enc', 'A256GCM'],
  ['client.offline.session.idle.timeout', '60'],
  ['client.offline.session.max.lifespan', '60'],
  ['backchannel.logout.revoke.offline.tokens', 'true'],
  ['logout.confirmation.enabled', 'true'],
];

test('T330 · unsupported protections: production refuses one, other hosts report it, and Keycloak’s words for none are accepted', async (t) => {
  for (const [name, value] of PROMISES) {
    const [found, ...more] = unsupportedProtections(withAttribute(name, value));
    t.deepEqual(found?.path, ['clients', 0, 'attributes', name]);
    t.regex(found?.message ?? '', /^is not supported, but client web relies on it: \w/);
    t.is(more.length, 0, name);
    for (const none of ['', 'false', 'any', 'not required', '0'])
      t.deepEqual(unsupportedProtections(withAttribute(name, none)), []);
  }
  const others: Partial<RealmRepresentation>[] = [
    { clientOfflineSessionIdleTimeout: 60 },
    { clientOfflineSessionMaxLifespan: 60 },
    { identityProviders: [{ alias: 'p', providerId: 'oidc', config: { filteredByClaim: 'true' } }] },
  ];
  for (const change of others)
    t.is(unsupportedProtections(testRealm('demo', change)).length, 1, JSON.stringify(change));
  t.deepEqual(unsupportedProtections(testRealm('demo', { clientOfflineSessionIdleTimeout: 0 })), []);

  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  await writeFile(file, JSON.stringify(withAttribute('dpop.bound.access.tokens', 'true'), null, 2));
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const told = await keyhost(['realm', 'check', file, ...places]);
  t.is(told.code, 0, told.stdout);
  const line =
    /demo\.json:\d+:\d+ clients\[0]\.attributes\S*dpop\.bound\.access\.tokens\S*: is not supported, but client web relies on it: .*/;
  t.regex(told.stdout, new RegExp(`${line.source} \\[warning]\\n[^]*realm demo has no mistakes`));
  const refused = await keyhost(['realm', 'check', '--production', file, ...places]);
  t.is(refused.code, 1);
  t.regex(refused.stdout, line);
  t.notRegex(refused.stdout, /warning|has no mistakes/);
});

test('T330 · unsupported protections: a production host starts with no such realm, and accepts none over HTTP', async (t) => {
  const realms = [withAttribute('tls.client.certificate.bound.access.tokens', 'true')];
  const start = startHost(t, { realms, mode: 'start', argv: PRODUCTION });
  const error = await t.throwsAsync<Error & { code?: string; report?(): string }>(() => start);
  t.is(error?.code, 'production_unsafe');
  t.regex(
    error?.report?.() ?? '',
    /tls\.client\.certificate\.bound\.access\.tokens.*is not supported, but client web relies/,
  );

  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: {} })],
    mode: 'start',
    argv: PRODUCTION,
  });
  const root = await adminCaller(host);
  const bound = { attributes: { 'dpop.bound.access.tokens': 'true' } };
  const path = `/realms/demo/clients/${await clientUuid(host, 'web')}`;
  const changed = await root('PUT', path, bound);
  t.is(changed.status, 400);
  t.regex(changed.text, /is not supported, but client web relies on it: tokens are not bound/);
  t.is((await root('POST', '/realms/demo/clients', { clientId: 'new', ...bound })).status, 400);
  t.is((await root('POST', '/realms', { realm: 'other', clients: [{ clientId: 'a', ...bound }] })).status, 400);
  t.is((await root('PUT', path, { attributes: { 'dpop.bound.access.tokens': 'false' } })).status, 204);
});

test('T330 · unsupported protections: in development the log reports it, for files and admin edits', async (t) => {
  const realms = [withAttribute('dpop.bound.access.tokens', 'true')];
  const host = await startAdministered(t, { realms });
  const told = () => host.log.filter(({ level, message }) => level === 'warn' && /is not supported/.test(message));
  t.is(told().length, 1);
  t.regex(
    told()[0]?.message ?? '',
    /^realm demo: .*demo\.json:\d+:\d+ clients\[0\]\.attributes.*: is not supported, but client web relies on it/,
  );
  const root = await adminCaller(host);
  const path = `/realms/demo/clients/${await clientUuid(host, 'spa')}`;
  const attributes = { 'request.object.required': 'request only' };
  t.is((await root('PUT', path, { attributes })).status, 204);
  t.is((await root('PUT', path, { name: 'Spa' })).status, 204);
  t.is(told().length, 2, 'once');
  t.regex(
    told()[1]?.message ?? '',
    /^realm demo: request\.object\.required is not supported, but client spa relies on it/,
  );
});
