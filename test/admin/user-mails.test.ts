import test from 'ava';
import { adminCaller, administrator, startDemo } from '../helpers/admin.js';
import { Browser } from '../helpers/form-browser.js';
import { claimsOf } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { ALICE, CAROL, DAVE, testRealm } from '../helpers/realms.js';

test('Admin API, user emails: an admin has a link sent to a user through Keycloak’s client, valid as long as the realm or the request says', async (t) => {
  const server = await startMailServer(t);
  const { host, admin } = await startDemo(t, {
    smtpServer: server.settings,
    actionTokenGeneratedByAdminLifespan: 39_600,
  });
  await admin.users.executeActionsEmail({ id: ALICE, actions: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] });
  const mail = await server.mail(0);
  t.true(mail.text.includes('Update password\n\nSet up authenticator app') && mail.text.includes('11 hours'));
  const claims = claimsOf(new URL(mail.link).searchParams.get('key') ?? '');
  t.like(claims, { typ: 'execute-actions', sub: ALICE, rqac: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] } as object);
  t.is(Number(claims.exp) - Number(claims.iat), 39_600);
  t.regex((await new Browser().open(mail.link)).text, /Complete these actions for your account alice/);
  const redirectUri = 'http://127.0.0.1:9999/cb';
  await admin.users.sendVerifyEmail({ id: ALICE, clientId: 'web', redirectUri, lifespan: 600 } as never);
  t.is((await server.mail(1)).headers.subject, 'Verify email');
  const root = await adminCaller(host);
  const at = (id: string, query = '') => `/realms/demo/users/${id}/execute-actions-email${query}`;
  for (const [path, actions, expected] of [
    [at(ALICE), ['nonsense'], 'Provided invalid required actions'],
    [at(ALICE, '?redirect_uri=https://evil.test/'), ['UPDATE_PASSWORD'], 'Client id missing'],
    [at(ALICE, '?client_id=web&redirect_uri=https://evil.test/'), ['UPDATE_PASSWORD'], 'Invalid redirect uri.'],
    [at(ALICE, '?client_id=nobody'), ['UPDATE_PASSWORD'], "Client doesn't exist"],
    [at(ALICE, '?lifespan=0'), ['UPDATE_PASSWORD'], 'lifespan must be at least 1'],
    [at(DAVE), ['UPDATE_PASSWORD'], 'User email missing'],
    [at(CAROL), ['UPDATE_PASSWORD'], 'User email missing'],
  ] as const) {
    const { status, json } = await root('PUT', path, actions);
    t.deepEqual([status, json.errorMessage], [400, expected], path);
  }
  t.is((await root('PUT', at(ALICE), {})).status, 400);
  t.is((await root('PUT', at('nobody'), ['UPDATE_PASSWORD'])).status, 404);
  t.is(server.received.length, 2);
  // As in Keycloak, a link without actions is sent too. Its page only confirms that the account is up to date.
  for (const [at_, none] of [[], null, undefined].entries()) {
    t.is((await root('PUT', at(ALICE), none)).status, 204);
    const { link } = await server.mail(2 + at_);
    t.deepEqual(claimsOf(new URL(link).searchParams.get('key') ?? '').rqac as unknown, []);
    t.is((await new Browser().open(link)).status, 200);
  }
  // The deprecated form: one action, with the realm's lifespan in every case.
  const old = (id: string, query = '') => root('PUT', `/realms/demo/users/${id}/reset-password-email${query}`);
  t.is((await old(ALICE, `?client_id=web&redirect_uri=${redirectUri}&lifespan=60`)).status, 204);
  const { link } = await server.mail(5);
  const asked = claimsOf(new URL(link).searchParams.get('key') ?? '');
  t.like(asked, { typ: 'execute-actions', rqac: ['UPDATE_PASSWORD'], azp: 'web', reduri: redirectUri } as object);
  t.is(Number(asked.exp) - Number(asked.iat), 39_600);
  for (const [id, query, status, told] of [
    [ALICE, '?redirect_uri=https://evil.test/', 400, 'Client id missing'],
    [ALICE, '?client_id=web&redirect_uri=https://evil.test/', 400, 'Invalid redirect uri.'],
    [DAVE, '', 400, 'User email missing'],
    ['nobody', '', 404, undefined],
  ] as const) {
    const { status: answered, json } = await old(id, query);
    t.deepEqual([answered, json.errorMessage], [status, told], `${id}${query}`);
  }
  t.is(server.received.length, 6);
  const broken = await startDemo(t, {
    smtpServer: { host: '127.0.0.1', port: '1', from: 'a@b.test' },
    users: [...(testRealm('demo').users ?? []), administrator('helper', 'manage-users')],
  });
  const caller = await adminCaller(broken.host);
  const failed = await caller('PUT', at(ALICE), ['UPDATE_PASSWORD']);
  t.deepEqual([failed.status, failed.json.errorMessage], [500, 'Failed to send execute actions email']);
  t.regex(String(failed.json.error_description), /ECONNREFUSED/);
  // The reason is about the realm's mail server, which this admin may not view.
  const helper = await adminCaller(broken.host, { realm: 'demo', username: 'helper', password: 'helper' });
  const { json } = await helper('PUT', at(ALICE), ['UPDATE_PASSWORD']);
  t.deepEqual(json as object, { errorMessage: 'Failed to send execute actions email' });
  // As in Keycloak, a mail server with an invalid token URL is accepted, but sends no mail.
  const tokens = { ...server.settings, auth: 'true', authType: 'token', user: 'u', authTokenUrl: 'wibble.com' };
  t.is((await caller('PUT', '/realms/demo', { smtpServer: tokens })).status, 204);
  t.is((await caller('PUT', at(ALICE), ['UPDATE_PASSWORD'])).status, 500);
});
