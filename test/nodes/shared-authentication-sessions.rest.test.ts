import test from 'ava';
import type { Context } from 'koa';
import type { Exchange } from '../../core/http/exchange.js';
import type { HostAuthenticationSession } from '../../core/login/authentication-sessions.js';
import { SharedAuthenticationSessions } from '../../core/login/authentications/shared-sessions.js';
import type { Realm } from '../../core/model/realm.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { TestClock } from '../helpers/host.js';

const BROWSER_KEY = { realm: 'demo', rootId: 'r'.repeat(24), tabId: 't'.repeat(11) };

/** The authentication session stores of two nodes with one database, and requests that end on command. */
async function twoNodes() {
  const store = await openMemoryStore({ isShared: true });
  const clock = new TestClock();
  const { entries } = store;
  const encryption = {
    encrypt: async () => '',
    decrypt: async () => undefined,
  };
  const sessionStores = [
    new SharedAuthenticationSessions({ entries, clock, encryption }),
    new SharedAuthenticationSessions({ entries, clock, encryption }),
  ] as const;
  const session = {
    ...BROWSER_KEY,
    code: 'code',
    clientId: 'web',
    request: { clientId: 'web', pushed: 'urn:1' },
    done: new Map([['step', 'success']]),
    passedFlows: new Set(['forms']),
    credentialTypes: new Set(['password']),
    actions: new Set(),
    passed: new Set(['seen']),
    notes: {},
  } as unknown as HostAuthenticationSession;
  return { store, clock, sessionStores, session };
}

/** The part of a request that the store needs. */
function testRequest(): Exchange & { answer(): Promise<void> } {
  const ctx = {} as Context;
  const answer = async () => ctx.beforeSend?.();
  return { ctx, realm: { name: 'demo' } as Realm, ip: '127.0.0.1', secure: true, answer };
}

test('nodes, authentication sessions: a change of one request is visible to the next one on another node', async (t) => {
  const { sessionStores, session } = await twoNodes();
  const [here, there] = sessionStores;
  const first = testRequest();
  here.save(first, session, 60_000);
  await first.answer();
  const second = testRequest();
  const found = await there.find(second, BROWSER_KEY);
  t.deepEqual(found, session);
  if (found !== undefined) found.notes.told = 'yes';
  await second.answer();
  t.is((await here.find(testRequest(), BROWSER_KEY))?.notes.told, 'yes');
});

test('nodes, authentication sessions: another request waits until the one that has the authentication session is answered', async (t) => {
  const { sessionStores, session } = await twoNodes();
  const [here, there] = sessionStores;
  const first = testRequest();
  here.save(first, session, 60_000);
  await first.answer();
  const working = testRequest();
  const mine = await here.find(working, BROWSER_KEY);
  t.not(mine, undefined);
  let isFound = false;
  const waiting = testRequest();
  const found = there.find(waiting, BROWSER_KEY).then((theirs) => {
    isFound = true;
    return theirs;
  });
  if (mine !== undefined) here.remove(working, mine);
  t.false(isFound);
  await working.answer();
  t.is(await found, undefined);
});

test('nodes, authentication sessions: a node that died releases its authentication session after a minute, and its late writes are refused', async (t) => {
  const { clock, sessionStores, session } = await twoNodes();
  const [here, there] = sessionStores;
  const first = testRequest();
  here.save(first, session, 600_000);
  await first.answer();
  const slow = testRequest();
  await here.find(slow, BROWSER_KEY);
  clock.forward(61);
  const next = testRequest();
  t.not(await there.find(next, BROWSER_KEY), undefined);
  await t.throwsAsync(slow.answer(), { code: 'authentication_busy' });
  await next.answer();
});

test('nodes, authentication sessions: other tabs and pushed requests are found on every node, and the cookie is not in the store', async (t) => {
  const { store, clock, sessionStores, session } = await twoNodes();
  const [here, there] = sessionStores;
  const first = testRequest();
  here.save(first, session, 60_000);
  await first.answer();
  t.is(await there.tabOfPushed(BROWSER_KEY, 'urn:1'), BROWSER_KEY.tabId);
  t.is(await there.tabOfPushed({ ...BROWSER_KEY, rootId: 'x'.repeat(24) }, 'urn:1'), undefined);
  t.false(await there.hasOthers(BROWSER_KEY));
  t.true(await there.hasOthers({ ...BROWSER_KEY, tabId: 'u'.repeat(11) }));
  const range = { realm: 'demo', namespace: '/authentication-sessions', prefix: '', first: 0, max: 9 };
  const stored = JSON.stringify(await store.entries.list({ ...range, now: clock.now() }));
  t.true(stored.includes('urn:1'));
  t.false(stored.includes(BROWSER_KEY.rootId));
  clock.forward(61);
  t.is(await there.find(testRequest(), BROWSER_KEY), undefined);
});
