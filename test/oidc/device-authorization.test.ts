import { createHash } from 'node:crypto';
import test from 'ava';
import { BOX, beginDevice, DEVICE_GRANT, deviceRealm, TV } from '../helpers/device.js';
import { fetchAnswer } from '../helpers/host.js';
import { basic, post, WEB } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const off = { 'oauth2-grant-type': { [DEVICE_GRANT]: { enabled: false } } };
const host = shareHost(test, {
  realms: [
    deviceRealm(),
    deviceRealm('short', {
      oauth2DeviceCodeLifespan: 90,
      oauth2DevicePollingInterval: 7,
      attributes: { shortVerificationUri: 'https://example.test/tv' },
    }),
    deviceRealm('off', { providers: { ...testRealm('off').providers, ...off } }),
  ],
});

const authorize = (form: Record<string, string> | [string, string][], headers = {}, realm = 'demo') =>
  post(host(), 'auth/device', form, headers, realm);

test('device authorization: a device is given its codes, and where the user enters one', async (t) => {
  const answer = await authorize({ ...TV, scope: 'openid email' });
  t.is(answer.status, 200, answer.text);
  t.is(answer.headers.get('cache-control'), 'no-store');
  const { device_code, user_code, ...rest } = answer.json as Record<string, unknown>;
  t.regex(String(device_code), /^[A-Za-z0-9_-]{43}$/);
  t.regex(String(user_code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  t.deepEqual(rest, {
    verification_uri: `${host().realm('demo')}/device`,
    verification_uri_complete: `${host().realm('demo')}/device?user_code=${user_code}`,
    expires_in: 600,
    interval: 5,
  });
  const next = await beginDevice(host(), BOX);
  t.not(next.device_code, device_code as string);
  t.not(next.user_code, user_code as string);
  t.truthy(await eventOf('box', 'OAUTH2_DEVICE_AUTH'));
  const events = JSON.stringify(await host().stored('demo'));
  t.false(events.includes(next.user_code) || events.includes(next.device_code));
});

test('device authorization: realm and client configure the lifetime of codes, the polling interval, and the verification URI', async (t) => {
  const short = await beginDevice(host(), TV, 'short');
  t.like(short, { expires_in: 90, interval: 7, verification_uri: 'https://example.test/tv' });
  t.is(short.verification_uri_complete, `https://example.test/tv?user_code=${short.user_code}`);
  t.like(await beginDevice(host(), { client_id: 'quick' }, 'short'), { expires_in: 60, interval: 1 });
});

test('device authorization: discovery names the endpoint and the grant where the realm has them', async (t) => {
  const documentOf = async (realm: string) =>
    (await fetchAnswer(`${host().realm(realm)}/.well-known/openid-configuration`)).json as Record<string, unknown>;
  const demo = await documentOf('demo');
  t.is(demo.device_authorization_endpoint, `${host().oidc('demo')}/auth/device`);
  t.true((demo.grant_types_supported as string[]).includes(DEVICE_GRANT));
  const without = await documentOf('off');
  t.is(without.device_authorization_endpoint, undefined);
  t.false((without.grant_types_supported as string[]).includes(DEVICE_GRANT));
  const refused = await authorize(TV, {}, 'off');
  t.deepEqual([refused.status, refused.json.error], [400, 'unauthorized_client']);
});

test('device authorization: a client must prove itself as everywhere, and be allowed to', async (t) => {
  const refusals: [Record<string, string>, number, string][] = [
    [{}, 401, 'invalid_client'],
    [{ client_id: 'nobody' }, 401, 'invalid_client'],
    [{ client_id: 'app-disabled', client_secret: 'x' }, 401, 'invalid_client'],
    [{ client_id: 'box' }, 401, 'unauthorized_client'],
    [{ client_id: 'box', client_secret: 'wrong' }, 401, 'unauthorized_client'],
    [WEB, 400, 'unauthorized_client'],
    [{ client_id: 'newsletter-api' }, 401, 'unauthorized_client'],
  ];
  for (const [form, status, error] of refusals) {
    const answer = await authorize(form);
    t.deepEqual([answer.status, answer.json.error], [status, error], JSON.stringify(form));
  }
  const { json } = await authorize(WEB);
  t.is(
    json.error_description,
    'Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.',
  );
  t.is((await eventOf('web', 'OAUTH2_DEVICE_AUTH_ERROR'))?.error, 'not_allowed');
  t.is((await authorize({}, basic('box', 'box-secret'))).status, 200);
  const url = `${host().oidc('demo')}/auth/device`;
  t.is((await fetchAnswer(url)).status, 405);
  const json_ = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(TV) };
  t.is((await fetchAnswer(url, json_)).status, 415);
});

test('device authorization: invalid and too long requests are refused', async (t) => {
  const code_challenge = createHash('sha256').update('x'.repeat(43)).digest('base64url');
  const refused: [Record<string, string> | [string, string][], string, string][] = [
    [{ ...TV, scope: 'openid nonsense' }, 'invalid_scope', 'Invalid scopes: openid nonsense'],
    [{ ...TV, scope: `openid ${'x'.repeat(5000)}` }, 'invalid_request', 'Invalid parameter: scope'],
    [{ ...TV, scope: 'openid\u0000' }, 'invalid_request', 'Invalid parameter: scope'],
    [{ ...TV, nonce: 'x'.repeat(5000) }, 'invalid_request', 'Invalid parameter: nonce'],
    [[...Object.entries(TV), ['scope', 'openid'], ['scope', 'email']], 'invalid_request', 'duplicated parameter'],
    [
      { ...TV, code_challenge: 'short', code_challenge_method: 'S256' },
      'invalid_request',
      'Invalid parameter: code_challenge',
    ],
    [{ ...TV, code_challenge }, 'invalid_request', 'Invalid parameter: code_challenge_method'],
    [
      { ...TV, code_challenge, code_challenge_method: 'plain' },
      'invalid_request',
      'Invalid parameter: code_challenge_method',
    ],
    [{ ...TV, code_challenge_method: 'S256' }, 'invalid_request', 'Missing parameter: code_challenge'],
    [{ client_id: 'proving' }, 'invalid_request', 'Missing parameter: code_challenge_method'],
  ];
  for (const [form, error, description] of refused) {
    const answer = await authorize(form);
    t.is(answer.status, 400);
    t.deepEqual(answer.json as object, { error, error_description: description });
  }
  t.is((await authorize({ client_id: 'proving', code_challenge, code_challenge_method: 'S256' })).status, 200);
});

/** The newest event of this type about this client: concurrent tests emit others. */
async function eventOf(client: string, type: string) {
  return (await host().stored('demo')).find((event) => event.clientId === client && event.type === type);
}
