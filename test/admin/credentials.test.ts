import { hash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { exportRealm } from '../../core/realms/export/export-realm.js';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';
import { logIn } from '../helpers/login.js';
import { HandMade } from '../helpers/passkeys.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';
import { secondFactorFlows } from '../helpers/second-factors.js';

const realm = 'demo';
const reset = `/realms/demo/users/${ALICE}/reset-password`;

const logsIn = async (host: TestHost, password: string, username = 'alice') => {
  const answer = await host.token(realm, { grant_type: 'password', client_id: 'spa', username, password });
  return answer.status === 200 ? true : String(answer.json.error_description);
};

async function start(t: ExecutionContext, changes: object = {}, clock = new TestClock()) {
  const host = await startAdministered(t, { realms: [testRealm('demo', changes)], clock });
  return { host, clock, call: await adminCaller(host), admin: await adminClient(host) };
}

test('Admin API, credentials: an admin sets a password, temporary or not', async (t) => {
  const { host, admin, call } = await start(t);
  await admin.users.resetPassword({
    realm,
    id: ALICE,
    credential: { type: 'password', value: 'new', temporary: true },
  });
  t.is(await logsIn(host, 'new'), 'Account is not fully set up');
  t.deepEqual((await admin.users.findOne({ realm, id: ALICE }))?.requiredActions, ['UPDATE_PASSWORD']);
  await admin.users.resetPassword({ realm, id: ALICE, credential: { type: 'password', value: 'newer' } });
  t.true(await logsIn(host, 'newer'));
  t.is(await logsIn(host, 'new'), 'Invalid user credentials');
  t.deepEqual((await admin.users.findOne({ realm, id: ALICE }))?.requiredActions, []);
  const missing = await call('PUT', reset, { type: 'password' });
  t.deepEqual([missing.status, missing.text], [400, '{"error":"No password provided"}']);
  const blank = await call('PUT', reset, { type: 'password', value: ' ' });
  t.deepEqual([blank.status, blank.text], [400, '{"error":"Empty password not allowed"}']);
  t.is((await call('PUT', reset, { value: 'x'.repeat(5000) })).status, 400);
  t.is((await call('PUT', reset.replace(ALICE, 'nobody'), { value: 'x' })).status, 404);
  t.true(await logsIn(host, 'newer'), 'what was refused changed nothing');
});

test('Admin API, credentials: violations of the realm’s policy have Keycloak’s keys, and former passwords are refused', async (t) => {
  const { host, call, clock, admin } = await start(t, {
    passwordPolicy: 'length(8) and notUsername and passwordHistory(2) and hashIterations(2)',
  });
  const refused = async (value: string, error: string, error_description: string) => {
    const answer = await call('PUT', reset, { value });
    t.deepEqual([answer.status, answer.json], [400, { error, error_description } as object]);
  };
  await refused('short', 'invalidPasswordMinLengthMessage', 'Invalid password: minimum length 8.');
  const history = 'Invalid password: must not be equal to any of last 2 passwords.';
  await refused('Alice-pass-1!', 'invalidPasswordHistoryMessage', history);
  const set = async (value: string) => {
    clock.forward(1);
    t.is((await call('PUT', reset, { value })).status, 204);
  };
  await set('password-2');
  await refused('Alice-pass-1!', 'invalidPasswordHistoryMessage', history);
  await set('password-3');
  await refused('password-2', 'invalidPasswordHistoryMessage', history);
  await set('Alice-pass-1!');
  t.true(await logsIn(host, 'Alice-pass-1!'));
  const [shown, ...others] = await admin.users.getCredentials({ realm, id: ALICE });
  t.deepEqual(others, [], 'former passwords are not shown');
  t.like(JSON.parse(shown?.credentialData ?? ''), { hashIterations: 2, algorithm: 'argon2' });
  const created = await call('POST', '/realms/demo/users', { username: 'xavier', credentials: [{ value: 'short' }] });
  t.deepEqual([created.status, created.json.error], [400, 'invalidPasswordMinLengthMessage']);
});

test('Admin API, credentials: credentials are listed without secrets, named, ordered and removed', async (t) => {
  const { host, admin } = await start(t);
  const otp = {
    type: 'otp',
    secretData: '{"value":"hidden"}',
    credentialData: '{"subType":"totp"}',
    userLabel: 'Phone',
  };
  await admin.users.update({ realm, id: ALICE }, { credentials: [otp] });
  t.like(await admin.users.findOne({ realm, id: ALICE }), { totp: true });
  const list = async () => admin.users.getCredentials({ realm, id: ALICE });
  const types = async () => (await list()).map(({ type }) => type).join(' ');
  t.is(await types(), 'password otp');
  t.notRegex(JSON.stringify(await list()), /hidden|secretData|salt/);
  const [password, phone] = (await list()).map(({ id = '' }) => id);
  if (password === undefined || phone === undefined) return t.fail();
  const at = (credentialId: string) => ({ realm, id: ALICE, credentialId });
  await admin.users.moveCredentialPositionUp(at(phone));
  t.is(await types(), 'otp password');
  await admin.users.moveCredentialPositionDown({ ...at(phone), newPreviousCredentialId: password });
  t.is(await types(), 'password otp');
  await admin.users.updateCredentialLabel(at(phone), 'Téléphone');
  t.is((await list())[1]?.userLabel, 'Téléphone');
  await t.throwsAsync(admin.users.moveCredentialPositionUp(at('unknown')), { message: /Credential not found/ });
  await admin.users.deleteCredential(at(phone));
  t.is(await types(), 'password');
  t.true(await logsIn(host, 'Alice-pass-1!'));
  const call = await adminCaller(host);
  t.is((await call('PUT', `/realms/demo/users/${ALICE}/disable-credential-types`, ['password'])).status, 204);
  t.is(await types(), '');
  t.is(await logsIn(host, 'Alice-pass-1!'), 'Invalid user credentials');
  t.deepEqual(await admin.users.getUserStorageCredentialTypes({ realm, id: ALICE }), []);
});

test('Admin API, credentials: passkeys and recovery codes of another Keycloak are listed without secrets, named, removed, and exported', async (t) => {
  const host = await startAdministered(t, { realms: [codeRealm('demo', { ...secondFactorFlows(), providers: {} })] });
  const admin = await adminClient(host);
  const key = new HandMade();
  const codes = (text: string) => ({
    type: 'recovery-authn-codes',
    userLabel: 'Codes',
    secretData: JSON.stringify({ codes: [{ number: 1, encodedHashedValue: hash('sha512', text, 'base64') }] }),
    credentialData: '{"hashIterations":1,"algorithm":"RS512","totalCodes":12,"remainingCodes":1}',
  });
  await admin.users.update({ realm, id: ALICE }, { credentials: [codes('OLD')] });
  await admin.users.update({ realm, id: ALICE }, { credentials: [key.stored('webauthn'), codes('NEW')] });
  const list = async () => admin.users.getCredentials({ realm, id: ALICE });
  const types = async () => (await list()).map(({ type }) => type);
  t.deepEqual(
    await types(),
    ['password', 'webauthn', 'recovery-authn-codes'],
    'one list of codes takes the place of another',
  );
  t.notRegex(JSON.stringify(await list()), /secretData|encodedHashedValue/);
  const [, passkey, recovery] = await list();
  t.like(JSON.parse(passkey?.credentialData ?? ''), { credentialId: key.id.toString('base64'), counter: 0 });
  await admin.users.updateCredentialLabel({ realm, id: ALICE, credentialId: passkey?.id ?? '' }, 'Schlüssel');
  t.is((await list())[1]?.userLabel, 'Schlüssel');

  const users = await host.users.find(await host.loadedRealm(realm), { max: 100 });
  const live = (await host.realms.get(realm))?.representation as RealmRepresentation;
  const { representation } = exportRealm(
    live,
    undefined,
    users.map((user) => user.representation),
    { secrets: true },
  );
  const moved = await startHost(t, { realms: [representation as never] });
  const browser = new Browser();
  const asked = await signIn(browser, codeRequest(moved).url);
  const code = await browser.submit(asked, { credential: key.assertion(asked) });
  t.truthy(code.location?.searchParams.get('code'));
  const bare = exportRealm(
    live,
    undefined,
    users.map((user) => user.representation),
    { secrets: false },
  );
  t.notRegex(JSON.stringify(bare.representation), /encodedHashedValue|credentialPublicKey/);

  await admin.users.deleteCredential({ realm, id: ALICE, credentialId: passkey?.id ?? '' });
  await admin.users.deleteCredential({ realm, id: ALICE, credentialId: recovery?.id ?? '' });
  t.deepEqual(await types(), ['password']);
  t.truthy((await signIn(new Browser(), codeRequest(host).url)).location?.searchParams.get('code'));
  const call = await adminCaller(host);
  for (const damaged of [{ secretData: undefined }, { credentialData: '[]' }, { secretData: 'x' }, { type: 'x' }]) {
    const sent = { credentials: [{ ...key.stored('webauthn'), ...damaged }] };
    const answer = await call('PUT', `/realms/demo/users/${ALICE}`, sent);
    t.is(answer.status, 400, JSON.stringify(damaged));
  }
});

test('Admin API, credentials: a password hash of another Keycloak is accepted unchanged', async (t) => {
  const { host, admin, call } = await start(t);
  const stored = (await host.store.users.byId('demo', ALICE))?.representation.credentials?.[0];
  const { secretData, credentialData } = stored ?? {};
  const credentials = [{ type: 'password', secretData, credentialData }];
  await admin.users.create({ realm, username: 'moved', enabled: true, credentials });
  t.true(await logsIn(host, 'Alice-pass-1!', 'moved'));
  for (const credential of [
    { type: 'password' },
    { type: 'password', secretData: '{}', credentialData: '{}' },
    { type: 'x' },
  ]) {
    const answer = await call('POST', '/realms/demo/users', { username: 'yves', credentials: [credential] });
    t.is(answer.status, 400, answer.text);
  }
});

test('Admin API, credentials: a new password ends all other sessions of the user, and admins keep their own', async (t) => {
  const { host, admin } = await start(t);
  const { refresh_token } = await logIn(host);
  const refresh = { grant_type: 'refresh_token', client_id: 'web', client_secret: 's3cret:+/%&é', refresh_token };
  await admin.users.resetPassword({ realm, id: ALICE, credential: { type: 'password', value: 'new' } });
  t.is((await host.token(realm, refresh)).status, 400);
  t.deepEqual(await admin.users.listSessions({ realm, id: ALICE }), []);
  const dave = await adminCaller(host, { realm, username: 'dave', password: 'Dave-pass-1!' });
  await logIn(host, { username: 'dave', password: 'Dave-pass-1!' });
  t.is((await dave('PUT', `/realms/demo/users/${DAVE}/reset-password`, { value: 'mine' })).status, 204);
  const left = await dave('GET', `/realms/demo/users/${DAVE}/sessions`);
  t.is(left.status, 200);
  t.is(JSON.parse(left.text).length, 1);
});
