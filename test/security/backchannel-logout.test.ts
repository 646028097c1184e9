import test from 'ava';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startHost } from '../helpers/host.js';
import { WEB2 } from '../helpers/login.js';
import { isLoggedIn, joinByBrowser, logInByBrowser, logoutUrl } from '../helpers/logout.js';
import { startLogoutReceiver } from '../helpers/logout-receiver.js';
import { testRealm } from '../helpers/realms.js';

const TWO = 'http://127.0.0.1:9999/two';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The test realm, whose clients `web` and `web2` get logout tokens at these URLs. */
function realmTelling(web: string, web2: string) {
  const realm = testRealm('demo');
  const addresses: Record<string, string> = { web, web2 };
  const clients = (realm.clients ?? []).map((client) => {
    const url = addresses[client.clientId];
    if (url === undefined) return client;
    const attributes = { ...client.attributes, 'backchannel.logout.url': url };
    return { ...client, attributes, redirectUris: [...(client.redirectUris ?? []), TWO] };
  });
  return { ...realm, clients };
}

test('T178 · back-channel logout: an application that hangs or fails does not delay the logout, and the others are notified', async (t) => {
  const receiver = await startLogoutReceiver();
  t.teardown(receiver.close);
  for (const [broken, path] of [
    ['/hang', '/ok1'],
    ['/500', '/ok2'],
    ['/elsewhere', '/ok3'],
  ] as const) {
    const host = await startHost(t, { realms: [realmTelling(`${receiver.url}${broken}`, `${receiver.url}${path}`)] });
    const { browser, tokens } = await logInByBrowser(host);
    await joinByBrowser(host, browser, WEB2, TWO);
    const answer = await browser.open(logoutUrl(host, { id_token_hint: tokens.id_token }));
    t.is(answer.status, 200);
    t.regex(answer.text, /You are signed out/);
    t.false(await isLoggedIn(host, browser));
    t.deepEqual([receiver.tokens(broken).length, receiver.tokens(path).length], [1, 1]);
    const warnings = host.log.filter(({ message }) => message === 'back-channel logout failed');
    t.deepEqual(
      warnings.map(({ level, fields }) => [level, (fields as { client?: string }).client]),
      [['warn', 'web']],
    );
    // The host has a timeout of its own, and waits for it once.
    if (broken === '/hang') t.like(warnings[0]?.fields, { reason: 'no answer within 3000 ms' });
  }
  t.deepEqual(receiver.tokens('/redirected'), []);
});

test('T178 · back-channel logout: the logout token follows the specification, and is accepted as no other token', async (t) => {
  const receiver = await startLogoutReceiver();
  t.teardown(receiver.close);
  const host = await startHost(t, { realms: [realmTelling(`${receiver.url}/ok`, '')] });
  const { browser, tokens } = await logInByBrowser(host);
  const keys = createRemoteJWKSet(new URL(`${host.oidc('demo')}/certs`));
  const { payload: id } = await jwtVerify(tokens.id_token, keys);
  await browser.open(logoutUrl(host, { id_token_hint: tokens.id_token }));
  const [token = ''] = receiver.tokens('/ok');
  const expected = { issuer: host.realm('demo'), audience: 'web', typ: 'logout+jwt' };
  const { payload } = await jwtVerify(token, keys, expected);
  t.like(payload, { sub: id.sub, sid: id.sid, typ: 'Logout', events: { [EVENT]: {} } });
  t.is(Number(payload.exp) - Number(payload.iat), 120);
  t.is(typeof payload.jti, 'string');
  t.false('nonce' in payload);
  const again = await logInByBrowser(host);
  const misused = await again.browser.open(logoutUrl(host, { id_token_hint: token }));
  t.is(misused.status, 400);
  t.true(await isLoggedIn(host, again.browser));
});

test('T178 · back-channel logout: private addresses are not notified, except in the operator’s networks', async (t) => {
  const receiver = await startLogoutReceiver();
  t.teardown(receiver.close);
  for (const [networks, told] of [
    ['10.0.0.0/8', 0],
    ['10.0.0.0/8, 127.0.0.0/8', 1],
  ] as const) {
    const argv = ['--outbound-private-networks', networks];
    const host = await startHost(t, { realms: [realmTelling(`${receiver.url}/ok`, '')], argv });
    const { browser, tokens } = await logInByBrowser(host);
    await browser.open(logoutUrl(host, { id_token_hint: tokens.id_token }));
    t.is(receiver.tokens('/ok').length, told, networks);
    const reason = '127.0.0.1 is not a public address: allow its network in --outbound-private-networks';
    const warned = host.log.some(({ fields }) => (fields as { reason?: string }).reason === reason);
    t.is(warned, told === 0);
  }
});
