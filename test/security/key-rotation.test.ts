import test from 'ava';
import * as jose from 'jose';
import { adminCaller } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, logIn, post, userinfo, WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test);

test('T009 · key rotation: while an admin brings a new key, tokens of the old one hold: access, refresh and ID tokens', async (t) => {
  const before = await logIn(host());
  const call = await adminCaller(host(), { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
  const providerType = 'org.keycloak.keys.KeyProvider';
  const config = { priority: ['200'] };
  for (const [providerId, more] of [
    ['rsa-generated', {}],
    ['hmac-generated', { algorithm: ['HS512'] }],
  ] as const) {
    const body = { name: providerId, providerId, providerType, config: { ...config, ...more } };
    t.is((await call('POST', '/realms/demo/components', body)).status, 201);
  }
  t.is((await userinfo(host(), before.access_token)).status, 200);
  const refreshed = await post(host(), 'token', {
    ...WEB,
    grant_type: 'refresh_token',
    refresh_token: before.refresh_token,
  });
  t.is(refreshed.status, 200);
  const kidOf = (token: unknown) => jose.decodeProtectedHeader(String(token)).kid;
  t.not(kidOf(refreshed.json.access_token), kidOf(before.access_token));
  t.not(kidOf(refreshed.json.refresh_token), kidOf(before.refresh_token));
  const { json } = await fetchAnswer(`${host().oidc('demo')}/certs`);
  const published = (json as unknown as { keys: { kid: string; use: string }[] }).keys;
  const kids = published.filter(({ use }) => use === 'sig').map(({ kid }) => kid);
  t.deepEqual(kids, [kidOf(refreshed.json.access_token), kidOf(before.access_token)]);
  const alice = await host().token('demo', { ...WEB, ...ALICE_LOGIN });
  const refused = await fetchAnswer(`${host().url}/admin/realms/demo/keys`, {
    headers: { authorization: `Bearer ${alice.json.access_token}` },
  });
  t.is(refused.status, 403);
});
