import test from 'ava';
import { accountRealm, accountUser, PASSWORD } from '../helpers/account.js';
import { adminCaller, realmAdminGrant, startAdministered } from '../helpers/admin.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, bearer, generate, logIn, NL, WEB } from '../helpers/login.js';
import { ALICE, DAVE, NAKED, testRealm } from '../helpers/realms.js';
import { refusableEvents } from '../helpers/refuse-events.js';
import { NEWCOMER } from '../helpers/registration.js';

const KEPT = { adminEventsEnabled: true, adminEventsDetailsEnabled: true };
const AIM = { requested_subject: 'alice', scope: 'newsletterscope42', audience: 'newsletter-api' };
test('T302 · changes and events: no admin change is stored without its event', async (t) => {
  const { dataDir, refuse } = await refusableEvents(t);
  const host = await startAdministered(t, { realms: [testRealm('demo', KEPT)], argv: ['--data-dir', dataDir] });
  const { call, role, path } = await realmAdminGrant(host, ALICE);
  const read = (below: string) => call('GET', `/realms/demo${below}`).then(({ text }) => text);
  const places = ['', '/users', '/clients', '/groups', '/roles', '/keys', '/components', '/authentication/flows'];
  const seen = () => Promise.all([...places.map(read), call('GET', path).then(({ text }) => text)]);
  const { id: web } = ((await call('GET', '/realms/demo/clients?clientId=web')).json as unknown as [{ id: string }])[0];
  await call('PUT', '/realms/master', { adminEventsEnabled: true });
  // The first request generates the realm's keys.
  await seen();
  const before = await seen();
  const changes = [
    ['POST', path, [role]],
    ['PUT', '/realms/demo', { displayName: 'other' }],
    ['POST', '/realms/demo/users', { username: 'eve', enabled: true }],
    ['PUT', `/realms/demo/users/${ALICE}`, { firstName: 'Eve' }],
    ['PUT', `/realms/demo/users/${ALICE}/reset-password`, { type: 'password', value: 'eve-was-here' }],
    ['DELETE', `/realms/demo/users/${DAVE}`],
    ['POST', '/realms/demo/clients', { clientId: 'eve' }],
    ['POST', `/realms/demo/clients/${web}/client-secret`],
    ['DELETE', `/realms/demo/clients/${web}`],
    ['POST', '/realms/demo/groups', { name: 'eve' }],
    ['POST', '/realms/demo/roles', { name: 'eve' }],
    [
      'POST',
      '/realms/demo/components',
      { providerId: 'hmac-generated', providerType: 'org.keycloak.keys.KeyProvider' },
    ],
    ['POST', '/realms/demo/authentication/flows', { alias: 'eve', providerId: 'basic-flow', topLevel: true }],
    ['POST', '/realms/demo/partialImport', { ifResourceExists: 'SKIP', roles: { realm: [{ name: 'eve' }] } }],
    ['POST', '/realms', { realm: 'eve' }],
    ['DELETE', '/realms/demo'],
  ] as const;
  refuse(true);
  for (const [method, where, body] of changes) {
    const answer = await call(method, where, body);
    t.true(answer.status >= 500, `${method} ${where} ${answer.status} ${answer.text}`);
    t.notRegex(answer.text, /no events today/);
  }
  refuse(false);
  t.deepEqual(await seen(), before);
  t.is((await call('GET', '/realms/eve')).status, 404);
  t.is((await host.token('demo', { ...WEB, ...ALICE_LOGIN })).status, 200);
  t.deepEqual((await call('GET', '/realms/demo/admin-events')).json as unknown, []);
  // If the event can be stored, it exists as soon as the change does.
  t.is((await call('POST', path, [role])).status, 204);
  const [event] = (await call('GET', '/realms/demo/admin-events')).json as unknown as [{ resourcePath: string }];
  t.is(event.resourcePath, path.slice('/realms/demo/'.length));
});

test('T303 · changes and events: no right is granted without its event', async (t) => {
  const { dataDir, refuse } = await refusableEvents(t);
  const demo = accountRealm(
    [
      accountUser('erin', { requiredActions: ['UPDATE_PASSWORD'] }),
      accountUser('frank', {
        credentials: [
          { type: 'password', value: PASSWORD },
          { id: 'p1', type: 'webauthn', secretData: '{}' },
        ],
      }),
    ],
    { eventsEnabled: true, registrationAllowed: true, providers: testRealm('demo').providers ?? {} },
  );
  const host = await startAdministered(t, { realms: [demo], argv: ['--data-dir', dataDir] });
  const call = await adminCaller(host);
  const frank = await logIn(host, { username: 'frank', password: PASSWORD });
  const browser = new Browser();
  const asked = await signIn(browser, codeRequest(host).url, { username: 'erin', password: PASSWORD });
  const sessions = async () => (await call('GET', `/realms/demo/users/${ALICE}/sessions`)).json as unknown;
  const removed = () =>
    fetchAnswer(`${host.realm('demo')}/account/credentials/p1`, {
      method: 'DELETE',
      headers: { accept: 'application/json', ...bearer(frank.access_token) },
    });
  const initial = (await call('POST', '/realms/demo/clients-initial-access', { count: 10 })).json.token ?? '';
  const register = () =>
    fetchAnswer(`${host.realm('demo')}/clients-registrations/openid-connect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(initial) },
      body: JSON.stringify({ redirect_uris: ['https://app.test/cb'], client_name: 'Mine' }),
    });
  const newcomer = new Browser();
  const login = await newcomer.open(codeRequest(host).url);
  const link = /id="kc-registration"[\s\S]*?href="([^"]*)"/.exec(login.text)?.[1]?.replace(/&(amp|#38);/g, '&') ?? '';
  const form = await newcomer.open(new URL(link, login.url).href);
  const clients = async () => (await call('GET', '/realms/demo/clients')).text;
  const clientsBefore = await clients();
  refuse(true);
  const answers = [
    await register(),
    await newcomer.submit(form, NEWCOMER),
    await call('POST', `/realms/demo/users/${ALICE}/impersonation`),
    await generate(host),
    await host.token('demo', { ...NL, ...AIM, grant_type: NAKED }),
    await removed(),
    await browser.submit(asked, { 'password-new': 'another password', 'password-confirm': 'another password' }),
  ];
  for (const [index, { status, text }] of answers.entries()) t.true(status >= 500, `${index} ${status} ${text}`);
  for (const { text } of answers) t.notRegex(text, /eyJ|no events today/);
  refuse(false);
  t.deepEqual(await sessions(), [], 'nobody is logged in as alice');
  t.is(await clients(), clientsBefore);
  t.deepEqual((await call('GET', '/realms/demo/users?username=newcomer')).json as unknown, []);
  const old = { ...WEB, grant_type: 'password', username: 'erin', password: PASSWORD };
  t.is((await host.token('demo', old)).json.error_description, 'Account is not fully set up');
  t.is(
    (await host.token('demo', { ...old, password: 'another password' })).json.error_description,
    'Invalid user credentials',
  );
  t.is((await removed()).status, 204);
  t.is((await register()).status, 201);
  t.is((await call('POST', `/realms/demo/users/${ALICE}/impersonation`)).status, 200);
  t.is((await generate(host)).status, 200);
  t.is((await host.token('demo', { ...NL, ...AIM, grant_type: NAKED })).status, 200);
  const types = (await host.stored('demo')).map(({ type, error }) => (error === undefined ? type : `${type} ${error}`));
  for (const type of ['CLIENT_REGISTER', 'REMOVE_CREDENTIAL', 'IMPERSONATE', 'NEWSLETTER_TOKEN', 'TOKEN_EXCHANGE']) {
    t.is(types.filter((one) => one === type).length, 1, type);
  }
});
