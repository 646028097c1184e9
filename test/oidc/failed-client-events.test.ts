import test from 'ava';
import { fetchAnswer, startHost, TestClock } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const wrong = { client_id: 'web', client_secret: 'wrong' };
const basic = `Basic ${Buffer.from('web:wrong').toString('base64')}`;

/** The events of Keycloak 26.7.3: [path, form, type, error, clientId, redirect_uri, Authorization]. */
const ASKED = [
  ['token', { grant_type: 'client_credentials', ...wrong }, 'CLIENT_LOGIN_ERROR', 'invalid_client_credentials', 'web'],
  ['token', { grant_type: 'client_credentials' }, 'CLIENT_LOGIN_ERROR', 'invalid_client_credentials', 'web', basic],
  [
    'token',
    { grant_type: 'authorization_code', code: 'x', ...wrong },
    'CODE_TO_TOKEN_ERROR',
    'invalid_client_credentials',
    'web',
  ],
  ['revoke', { token: 'x', ...wrong }, 'REVOKE_GRANT_ERROR', 'invalid_client_credentials', 'web'],
  ['revoke', { token: 'x' }, 'REVOKE_GRANT_ERROR', 'invalid_client_credentials', 'web', basic],
] as const;

test('client events: the event of a failed client authentication has the claimed client ID', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { clock, realms: [testRealm('demo', { eventsEnabled: true })] });
  for (const [path, form, type, error, clientId, authorization] of ASKED) {
    const { status } = await fetchAnswer(`${host.oidc('demo')}/${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: authorization === undefined ? {} : { authorization },
    });
    t.is(status, 401);
    // Makes the event of the last request the newest.
    clock.forward(1);
    t.like((await host.stored('demo')).at(0), { type, error, clientId }, `${path} ${authorization ?? ''}`);
  }
  const asked = new URLSearchParams({ response_type: 'code', client_id: 'web', redirect_uri: 'http://b.example/x' });
  t.is((await fetchAnswer(`${host.oidc('demo')}/auth?${asked}`)).status, 400);
  t.like((await host.stored('demo')).at(0), {
    type: 'LOGIN_ERROR',
    error: 'invalid_redirect_uri',
    clientId: 'web',
    details: { redirect_uri: 'http://b.example/x' },
  });
});
