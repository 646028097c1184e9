import test from 'ava';
import { adminCaller, ROOT } from '../helpers/admin.js';
import type { Answer, TestHost } from '../helpers/host.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, generate, logIn, NL, post, WEB } from '../helpers/login.js';
import { folder, remote, run } from '../helpers/process.js';
import { ALICE, NAKED, testRealm } from '../helpers/realms.js';

const LONG = 'x'.repeat(3000);
/** Longer than any name in a response or in the log. */
const TOO_LONG = /x{300}/;

test('T308 · long names: names of callers are cut in responses and in the log', async (t) => {
  const demo = testRealm('demo', { eventsListeners: ['jboss-logging'], adminEventsEnabled: true });
  const dir = await folder(t, [demo]);
  const child = await run(t, dir, [
    'start-dev',
    '--log-level',
    'trace',
    '--bootstrap-admin-username',
    ROOT.username,
    '--bootstrap-admin-password',
    ROOT.password,
  ]);
  const host = remote(child) as unknown as TestHost;
  const call = await adminCaller(host);
  const { access_token } = await logIn(host);
  const cc = { ...WEB, ...ALICE_LOGIN };
  const auth = (more: Record<string, string>) =>
    fetchAnswer(
      `${host.oidc('demo')}/auth?${new URLSearchParams({ client_id: 'web', response_type: 'code', redirect_uri: 'http://127.0.0.1:9999/cb', ...more })}`,
    );
  const exchange = {
    ...WEB,
    grant_type: NAKED,
    subject_token: access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  };
  const answers: Record<string, Answer> = {
    'client id': await host.token('demo', { ...cc, client_id: LONG }),
    'grant type': await host.token('demo', { ...cc, grant_type: LONG }),
    scope: await host.token('demo', { ...cc, scope: LONG }),
    username: await host.token('demo', { ...cc, username: LONG }),
    audience: await host.token('demo', { ...exchange, audience: LONG }),
    subject: await host.token('demo', {
      ...NL,
      grant_type: NAKED,
      requested_subject: LONG,
      scope: LONG,
      audience: LONG,
    }),
    hint: await post(host, 'token/introspect', { ...WEB, token: 'x', token_type_hint: LONG }),
    device: await post(host, 'auth/device', { ...WEB, scope: LONG }),
    realm: await fetchAnswer(host.realm(LONG)),
    path: await fetchAnswer(`${host.realm('demo')}/${LONG}`),
    'auth, client id': await auth({ client_id: LONG }),
    'auth, redirect': await auth({ redirect_uri: `http://a.test/${LONG}` }),
    'auth, scope': await auth({ scope: LONG }),
    'auth, type': await auth({ response_type: LONG }),
    'member twice': await generate(host, `{"${LONG}":1,"${LONG}":2}`),
    member: await generate(host, { userId: ALICE, applicationId: '42', [LONG]: 1 }),
    'admin, realm': await call('GET', `/realms/${LONG}`),
    'admin, provider': await call('PUT', `/realms/demo/providers/${LONG}/x`, { enabled: true }),
    'admin, listener': await call('PUT', '/realms/demo/events/config', { eventsListeners: [LONG] }),
    'admin, group of a user': await call('POST', '/realms/demo/users', { username: 'zoe', groups: [LONG] }),
    'admin, event type': await call('GET', `/realms/demo/events?type=${LONG}`),
    'admin, step': await call('POST', '/realms/demo/authentication/flows/browser/executions/execution', {
      provider: LONG,
    }),
    'admin, mapper': await call('POST', '/realms/demo/client-scopes', { name: `${LONG} ` }),
    'admin, realm to be': await call('POST', '/realms', { realm: LONG, enabled: true }),
    'admin, client to be': await call('POST', '/realms/demo/clients', { clientId: LONG, redirectUris: [LONG] }),
  };
  for (const [name, { status, text, headers }] of Object.entries(answers)) {
    t.true(
      (status >= 400 && status < 500) || status === 302 || status === 303,
      `${name} ${status} ${text.slice(0, 200)}`,
    );
    t.notRegex(text, TOO_LONG, name);
    t.notRegex(headers.get('location') ?? '', TOO_LONG, name);
  }
  child.child.kill('SIGTERM');
  t.is(await child.ended, 0);
  const output = child.output();
  t.regex(output, /x{100}/, 'the log was on');
  t.notRegex(output, TOO_LONG, 'the log');
});
