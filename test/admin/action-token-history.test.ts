import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, administrator, startAdministered } from '../helpers/admin.js';
import { Browser } from '../helpers/form-browser.js';
import { claimsOf, TestClock } from '../helpers/host.js';
import { follow, issueKey } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';

const NOTIFICATION = 'external-app-notification';
const CLAIMS = { 'app-id': '42' };
const LINKS = `/realms/demo/users/${ALICE}/action-tokens`;

interface HistoryOf {
  readonly state?: string;
  readonly issuedAt: number;
  readonly eventsEnabled: boolean;
  readonly adminEventsEnabled: boolean;
  readonly isComplete: boolean;
  readonly history: readonly {
    readonly what: string;
    readonly type: string;
    readonly error?: string;
    readonly reason?: string;
    readonly by?: { readonly userId: string; readonly realm?: string; readonly username?: string };
  }[];
}

async function scene(t: ExecutionContext, changes: Partial<RealmRepresentation> = {}) {
  const clock = new TestClock();
  const server = await startMailServer(t);
  const realm = testRealm('demo', {
    smtpServer: server.settings,
    actionTokenPolicy: { [NOTIFICATION]: { mint: true }, 'execute-actions': {}, 'reset-credentials': { mint: true } },
    resetPasswordAllowed: true,
    adminEventsEnabled: true,
    ...changes,
  });
  const users = [
    ...(realm.users ?? []),
    administrator('viewer', 'view-users'),
    administrator('watcher', 'view-events', 'query-users'),
    administrator('both', 'view-users', 'view-events'),
  ];
  const host = await startAdministered(t, { realms: [{ ...realm, users }], clock });
  const call = await adminCaller(host);
  const mint = async (body: object) => {
    const minted = await call('POST', LINKS, body);
    t.is(minted.status, 201, minted.text);
    clock.forward(1);
    return minted.json as unknown as { id: string; token: string; link: string };
  };
  const history = async (id: string, as = call) => {
    const answer = await as('GET', `${LINKS}/${id}/history`);
    t.is(answer.status, 200, answer.text);
    return answer.json as unknown as HistoryOf;
  };
  return { host, clock, server, call, mint, history };
}

const whats = ({ history }: HistoryOf) => history.map(({ what }) => what);
const NEW = (password: string) => ({ 'password-new': password, 'password-confirm': password });

test('link history: it shows who issued a link, when it was followed, who revoked it and whom it refused', async (t) => {
  const { host, clock, call, mint, history } = await scene(t);
  const { id, token } = await mint({ type: NOTIFICATION, claims: CLAIMS, clientId: 'web' });
  const other = await mint({ type: NOTIFICATION, claims: CLAIMS });
  t.deepEqual([(await history(id)).state, whats(await history(id))], ['out', ['issued']]);
  t.is((await follow(host, token)).status, 200);
  clock.forward(1);
  await call('DELETE', `${LINKS}/${id}`);
  clock.forward(1);
  t.is((await follow(host, token)).status, 400);
  const told = await history(id);
  t.like(told, { id, state: 'revoked', eventsEnabled: true, adminEventsEnabled: true, isComplete: true } as object);
  t.deepEqual(whats(told), ['issued', 'followed', 'revoked', 'refused']);
  t.like(told.history[0], { type: 'ADMIN' });
  t.like(told.history[0]?.by, { realm: 'master', username: 'root' });
  const seen = await history(id, await adminCaller(host, { realm: 'demo', username: 'both', password: 'both' }));
  t.deepEqual(
    Object.keys(seen.history[0]?.by ?? {}).sort(),
    ['realmId', 'userId'],
    'users of master are not theirs to see',
  );
  t.like(told.history[1], { type: 'EXECUTE_ACTION_TOKEN', clientId: 'web' } as object);
  t.like(told.history[3], { type: 'EXECUTE_ACTION_TOKEN_ERROR', error: 'expired_code', reason: 'Action expired.' });
  t.false(JSON.stringify(told).includes('eyJ'));

  t.deepEqual(whats(await history(other.id)), ['issued'], 'what befell another link is not told');
  await call('DELETE', LINKS);
  const ended = await history(other.id);
  t.deepEqual([ended.state, whats(ended)], ['ended', ['issued', 'ended']]);
  clock.forward(86_400);
  await host.store.sweep({ now: clock.now() });
  t.deepEqual(
    whats(await history(other.id, await adminCaller(host))),
    ['issued', 'ended'],
    'also when it is kept account of no more',
  );
});

test('link history: for an emailed link it has the email, the request, and what was done in the login that it led to', async (t) => {
  const { host, server, clock, call, mint, history } = await scene(t);
  const admin = await adminClient(host);
  admin.setConfig({ realmName: 'demo' });
  await admin.users.executeActionsEmail({ id: ALICE, actions: ['UPDATE_PASSWORD'] });
  const { link } = await server.mail(0);
  const key = new URL(link).searchParams.get('key') ?? '';
  const id = String(claimsOf(key).jti);
  t.like(await history(id), { state: 'out', history: [{ what: 'issued', type: 'EXECUTE_ACTIONS' }] });
  clock.forward(1);
  const lead = async (address: string) => {
    const browser = new Browser();
    const asked = await browser.open(address);
    let page = await browser.submit(asked, { key: new URL(asked.url).searchParams.get('key') ?? '' });
    while (page.location !== undefined) page = await browser.open(page.location.href);
    return { browser, page };
  };
  const { browser, page } = await lead(link);
  clock.forward(1);
  t.true((await browser.submit(page, NEW('Another-pass-1!'))).status < 400);
  const told = await history(id);
  t.is(told.state, 'used');
  t.deepEqual(
    told.history.map(({ what, type }) => [what, type]),
    [
      ['issued', 'EXECUTE_ACTIONS'],
      ['followed', 'EXECUTE_ACTIONS'],
      ['used', 'UPDATE_PASSWORD'],
    ],
  );

  clock.forward(1);
  const second = await mint({ type: 'reset-credentials' });
  const under = await lead(second.link);
  clock.forward(1);
  await call('DELETE', `${LINKS}/${second.id}`);
  clock.forward(1);
  t.is((await under.browser.submit(under.page, NEW('Stolen-pass-1!'))).status, 400);
  const stopped = await history(second.id);
  t.deepEqual([stopped.state, whats(stopped)], ['revoked', ['issued', 'followed', 'revoked', 'refused']]);
});

test('link history: a link of a type that the realm does not record has a history from the events alone', async (t) => {
  const { host, history } = await scene(t, { actionTokenPolicy: {} });
  const key = await issueKey(host);
  t.is((await follow(host, key)).status, 200);
  const told = await history(String(claimsOf(key).jti));
  t.deepEqual([told.state, whats(told)], [undefined, ['issued', 'followed']]);
});

test('link history: a realm that stores no events reports that', async (t) => {
  const { mint, history } = await scene(t, { eventsEnabled: false, adminEventsEnabled: false });
  const { id } = await mint({ type: NOTIFICATION, claims: CLAIMS });
  t.like(await history(id), { state: 'out', eventsEnabled: false, adminEventsEnabled: false, history: [] });
});

test('link history: a caller who may not see users, or not events, reads none, and nobody another user’s', async (t) => {
  const { host, call, mint } = await scene(t);
  const { id } = await mint({ type: NOTIFICATION, claims: CLAIMS });
  const path = `${LINKS}/${id}/history`;
  for (const [username, status] of [
    ['viewer', 403],
    ['watcher', 403],
    ['both', 200],
  ] as const) {
    const as = await adminCaller(host, { realm: 'demo', username, password: username });
    t.is((await as('GET', path)).status, status, username);
  }
  const daves = await call('GET', `/realms/demo/users/${DAVE}/action-tokens/${id}/history`);
  t.like(daves.json, { history: [] } as object);
  t.false('state' in daves.json);
  for (const odd of ['x', '%00', '550e8400-e29b-41d4-a716-446655440000', '%25'])
    t.is((await call('GET', `${LINKS}/${odd}/history`)).status, 404, odd);
  t.is((await call('GET', `/realms/demo/users/nobody/action-tokens/${id}/history`)).status, 404);
});
