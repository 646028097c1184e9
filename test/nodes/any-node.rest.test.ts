import test from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type { OtpFormat } from '../../core/model/otp-policy.js';
import { adminClient, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { approve, beginDevice, deviceRealm, poll } from '../helpers/device.js';
import { eventually } from '../helpers/eventually.js';
import { Browser, CALLBACK, codeRequest, formAction } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { follow, introspect, issueKey, logIn, post, userinfo, WEB } from '../helpers/login.js';
import { reachedAt, startNodes } from '../helpers/nodes.js';
import { guardedRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

const clock = new TestClock();
const TOTP: OtpFormat = { subType: 'totp', digits: 6, algorithm: 'HmacSHA1', period: 30, counter: 0 };
const SECRET = 'rkQ2mYqH1bX0c9ZpLw7T';

const scene = shareStarted(test, async (scope) => {
  const { front, nodes } = await startNodes(scope, {
    ...administered(),
    clock,
    realms: [
      codeRealm('demo', { bruteForceProtected: true, failureFactor: 3 }),
      realmWithOtp(),
      deviceRealm('device'),
      guardedRealm('links', { singleUse: true }),
    ],
  });
  return { host: front, nodes: nodes.map((node) => reachedAt(node, node.url)) as [TestHost, TestHost] };
});

/** A realm whose alice has a second factor. */
function realmWithOtp() {
  const realm = codeRealm('otp');
  const credential = {
    type: 'otp',
    secretData: JSON.stringify({ value: SECRET }),
    credentialData: JSON.stringify({ subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' }),
  };
  const users = (realm.users ?? []).map((user) =>
    user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), credential] } : user,
  );
  return { ...realm, users };
}

/** How many of the answers are good. */
const countSuccessful = (answers: readonly { status: number }[]) =>
  answers.filter(({ status }) => status === 200).length;

test('nodes: a login goes from node to node with each page, and its code, tokens and session are good on all', async (t) => {
  const { host: front, nodes } = scene();
  for (let round = 0; round < 3; round += 1) {
    const code = await freshCode(front);
    t.not(code.code, '');
    const { json, status } = await redeem(nodes[round % 2] as TestHost, code);
    t.is(status, 200);
    for (const node of nodes) {
      t.is((await userinfo(node, json.access_token ?? '')).status, 200);
      t.true((await introspect(node, json.access_token ?? '')).json.active);
    }
    const refreshed = await post(nodes[(round + 1) % 2] as TestHost, 'token', {
      ...WEB,
      grant_type: 'refresh_token',
      refresh_token: json.refresh_token ?? '',
    });
    t.is(refreshed.status, 200);
  }
});

test('nodes: single-use values are accepted once, whichever nodes are asked in parallel', async (t) => {
  const { host: front, nodes } = scene();
  const everywhere = <T>(ask: (node: TestHost) => Promise<T>) => Promise.all([...nodes, ...nodes, ...nodes].map(ask));
  const code = await freshCode(front);
  // A second redemption revokes the first one's tokens, even while they are being issued.
  t.true(countSuccessful(await everywhere((node) => redeem(node, code))) <= 1, 'code');
  const tokens = await logIn(front);
  const form = { ...WEB, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  t.is(countSuccessful(await everywhere((node) => post(node, 'token', form))), 1, 'refresh token');
});

test('nodes: a link, a pushed request and a device’s code are good once over all nodes, too', async (t) => {
  const { host: front, nodes } = scene();
  const everywhere = <T>(ask: (node: TestHost) => Promise<T>) => Promise.all([...nodes, ...nodes, ...nodes].map(ask));
  const link = await issueKey({ ...front, defaultRealm: 'links' });
  t.is(countSuccessful(await everywhere((node) => follow(node, link, {}, 'links'))), 1, 'link');
  const asked = { response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' };
  const pushed = await post(front, 'ext/par/request', { ...WEB, ...asked });
  const query = new URLSearchParams({ client_id: WEB.client_id, request_uri: String(pushed.json.request_uri) });
  const pages = await everywhere((node) => fetchAnswer(`${node.oidc('demo')}/auth?${query}`));
  t.is(countSuccessful(pages), 1, 'pushed request');
  const devices = { ...front, defaultRealm: 'device' };
  const device = await beginDevice(devices);
  await approve(devices, device.user_code);
  const polled = await everywhere((node) => poll({ ...node, defaultRealm: 'device' }, device.device_code));
  t.is(countSuccessful(polled), 1, 'device code');
});

test('nodes: a login is finished once, and a one-time password is taken once, when its form comes to both nodes at once', async (t) => {
  const { host: front, nodes } = scene();
  const browser = new Browser();
  const first = await browser.open(codeRequest({ ...front, defaultRealm: 'otp' }).url);
  const page = await browser.submit(first, { username: 'alice', password: 'Alice-pass-1!' });
  t.regex(page.text, /name="otp"/);
  const otp = codeAt(Buffer.from(SECRET), Math.floor(clock.now() / 1000 / TOTP.period), TOTP);
  const path = new URL(formAction(page));
  const answers = await Promise.all(
    [...nodes, ...nodes].map((node) =>
      browser.open(`${node.url}${path.pathname}${path.search}`, {
        method: 'POST',
        body: new URLSearchParams({ otp }),
      }),
    ),
  );
  t.is(answers.filter(({ location }) => location?.searchParams.has('code')).length, 1);
  t.true(answers.every(({ status }) => status === 302 || status === 400 || status === 200));
});

test('nodes: failures are counted over all nodes, and a lockout holds on all', async (t) => {
  const { nodes } = scene();
  const wrong = { ...WEB, grant_type: 'password', username: 'bob', password: 'wrong' };
  for (let failure = 0; failure < 4; failure += 1) await post(nodes[failure % 2] as TestHost, 'token', wrong);
  for (const node of nodes) {
    const { status } = await post(node, 'token', { ...wrong, password: 'Bob-pass-1!' });
    t.not(status, 200);
  }
});

// Alone, since it disables the user of the others.
test.serial('nodes: a sign-out, a revoked token and a disabled user hold everywhere at once', async (t) => {
  const { host: front, nodes } = scene();
  const [here, there] = nodes;
  const ended = await logIn(front);
  t.is((await userinfo(there, ended.access_token)).status, 200);
  await post(here, 'logout', { ...WEB, refresh_token: ended.refresh_token });
  t.is((await userinfo(there, ended.access_token)).status, 401);
  const revoked = await logIn(front);
  t.is((await userinfo(there, revoked.access_token)).status, 200);
  await post(here, 'revoke', { ...WEB, token: revoked.access_token });
  t.is((await userinfo(there, revoked.access_token)).status, 401);
  const tokens = await logIn(front);
  t.is((await userinfo(there, tokens.access_token)).status, 200);
  const admin = await adminClient(here);
  const id = String(claimsOf(tokens.access_token).sub);
  await admin.users.update({ realm: 'demo', id }, { enabled: false });
  t.is((await userinfo(there, tokens.access_token)).status, 401);
  await admin.users.update({ realm: 'demo', id }, { enabled: true });
});

test('nodes: a realm, a client, a key and a switched-off provider are changed on one node and soon known to the other', async (t) => {
  const { nodes } = scene();
  const [here, there] = nodes;
  const admin = await adminClient(here);
  await admin.realms.create({ realm: 'fresh', enabled: true });
  await eventually(async () => (await fetchAnswer(there.realm('fresh'))).status === 200);
  await admin.clients.create({ realm: 'fresh', clientId: 'svc', secret: 's', serviceAccountsEnabled: true });
  const ask = (node: TestHost) =>
    node.token('fresh', { grant_type: 'client_credentials', client_id: 'svc', client_secret: 's' });
  await eventually(async () => (await ask(there)).status === 200);
  await here.keys.rotate('fresh', 'RS256');
  const signed = (await ask(here)).json.access_token ?? '';
  // A token of a key that was made a moment ago.
  const asked = await post(
    there,
    'token/introspect',
    { client_id: 'svc', client_secret: 's', token: signed },
    {},
    'fresh',
  );
  t.true(asked.json.active);
  const keysOf = async (node: TestHost) => (await fetchAnswer(`${node.oidc('fresh')}/certs`)).text;
  await eventually(async () => (await keysOf(here)) === (await keysOf(there)));
  await admin.realms.update({ realm: 'fresh' }, { enabled: false });
  await eventually(async () => (await ask(there)).status !== 200);
  await admin.realms.del({ realm: 'fresh' });
  await eventually(async () => (await fetchAnswer(there.realm('fresh'))).status === 404);
});

test('nodes: a login survives the node that showed its page, and one that died while it worked on it', async (t) => {
  const { front, nodes } = await startNodes(t, { realms: [codeRealm('demo')], clock });
  const browser = new Browser();
  const page = await browser.open(codeRequest(front).url);
  await (nodes[0] as TestHost).close();
  const back = await browser.open(formAction(page).replace(front.url, (nodes[1] as TestHost).url), {
    method: 'POST',
    body: new URLSearchParams({ username: 'alice', password: 'Alice-pass-1!' }),
  });
  t.true(back.location?.searchParams.has('code'));
});

test('nodes: nodes that start together on an empty database create one realm master with one admin, whose password is printed once', async (t) => {
  const { nodes } = await startNodes(t, { count: 4, together: true, realms: [codeRealm('demo')], clock });
  const told = nodes.flatMap(({ newAdmin }) => newAdmin ?? []);
  t.is(told.length, 1);
  for (const node of nodes) {
    const { status } = await node.token('master', { grant_type: 'password', client_id: 'admin-cli', ...told[0] });
    t.is(status, 200);
  }
});
