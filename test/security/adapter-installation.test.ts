import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test("T620 · adapter installation: an adapter's configuration is for the client itself, its owner and admins; a public client's for everybody", async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  const made = async (body: object) => {
    const { headers } = await call('POST', `${realm}/clients`, body);
    return headers.get('location')?.split('/').pop() ?? '';
  };
  const uuid = await made({ clientId: 'app', secret: 's3cret' });
  await made({ clientId: 'open', publicClient: true });
  await made({ clientId: 'shut', publicClient: true, enabled: false });
  const { registrationAccessToken: token } = (await call('POST', `${realm}/clients/${uuid}/registration-access-token`))
    .json as { registrationAccessToken?: string };
  const initial = (await call('POST', `${realm}/clients-initial-access`, { count: 1 })).json as { token?: string };
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const secrets = { credentials: { secret: 's3cret' } };
  const hidden = 'Not authorized to view client. Not valid token or client credentials provided.';
  for (const [client, authorization, status, answer] of [
    ['app', basic('app', 's3cret'), 200, { realm: host.defaultRealm, resource: 'app', ...secrets }],
    ['app', `Bearer ${token}`, 200, { resource: 'app', ...secrets }],
    ['open', undefined, 200, { resource: 'open', 'public-client': true }],
    ['open', basic('open', 'x'), 200, { resource: 'open' }],
    ['app', undefined, 401, { error: 'invalid_token', error_description: hidden }],
    ['nope', undefined, 401, { error: 'invalid_token', error_description: hidden }],
    ['shut', undefined, 401, { error: 'invalid_token', error_description: hidden }],
    ['app', basic('app', 'wrong'), 401, { error_description: 'Failed to authenticate client' }],
    ['open', basic('app', 's3cret'), 401, { error_description: 'Different client authenticated' }],
    ['app', basic('open', ''), 401, { error_description: 'Different client authenticated' }],
    ['open', `Bearer ${token}`, 401, { error: 'invalid_token' }],
    ['app', `Bearer ${initial.token}`, 401, { error_description: 'Not initial access token allowed' }],
    ['app', 'Bearer garbage', 401, { error_description: 'Failed decode token' }],
    ['app', 'Digest x', 401, { error: 'invalid_token' }],
  ] as const) {
    const url = `${host.realm(host.defaultRealm)}/clients-registrations/install/${client}`;
    const got = await fetchAnswer(url, { headers: authorization === undefined ? {} : { authorization } });
    t.is(got.status, status, `${client} ${authorization}: ${got.text}`);
    t.like(got.json as object, answer);
  }
  const posted = await fetchAnswer(`${host.realm(host.defaultRealm)}/clients-registrations/install/app`, {
    method: 'POST',
  });
  t.is(posted.status, 405);
});
