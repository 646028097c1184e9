import test from 'ava';
import type { Context } from 'koa';
import type { Exchange } from '../../core/http/exchange.js';
import type { HostAuthenticationSession } from '../../core/login/authentication-sessions.js';
import { StoredShelf } from '../../core/login/authentications/stored-shelf.js';
import type { Realm } from '../../core/model/realm.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { TestClock } from '../helpers/host.js';

const PLACE = { realm: 'demo', rootId: 'r'.repeat(24), tabId: 't'.repeat(11) };

/** Two stores of authentication sessions that share one database, as those of two nodes do. */
async function twoNodes() {
  const [store, clock] = [await openMemoryStore({ isShared: true }), new TestClock()];
  const { entries } = store;
  const seals = {
    encrypted: async () => '',
    decrypted: async () => undefined,
  };
  const shelves = [new StoredShelf({ entries, clock, seals }), new StoredShelf({ entries, clock, seals })] as const;
  const session = {
    ...PLACE,
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
  return { store, clock, shelves, session };
}

/** The members of a request that are needed here. `answer` ends the request. */
function visit(): Exchange & { answer(): Promise<void> } {
  const ctx = {} as Context;
  const answer = async () => ctx.ends?.();
  return { ctx, realm: { name: 'demo' } as Realm, ip: '127.0.0.1', secure: true, answer };
}

test('what a request changes is what the next one finds, on another node', async (t) => {
  const { shelves, session } = await twoNodes();
  const [here, there] = shelves;
  const first = visit();
  here.keep(first, session, 60_000);
  await first.answer();
  const second = visit();
  const found = await there.find(second, PLACE);
  t.deepEqual(found, session);
  if (found !== undefined) found.notes.told = 'yes';
  await second.answer();
  t.is((await here.find(visit(), PLACE))?.notes.told, 'yes');
});

test('another request waits until the one that has the authentication session is answered', async (t) => {
  const { shelves, session } = await twoNodes();
  const [here, there] = shelves;
  const first = visit();
  here.keep(first, session, 60_000);
  await first.answer();
  const working = visit();
  const mine = await here.find(working, PLACE);
  t.not(mine, undefined);
  let isFound = false;
  const waiting = visit();
  const found = there.find(waiting, PLACE).then((theirs) => {
    isFound = true;
    return theirs;
  });
  if (mine !== undefined) here.remove(working, mine);
  t.false(isFound);
  await working.answer();
  t.is(await found, undefined);
});

test('a node that died with an authentication session gives it up after a minute, and what it brings too late is refused', async (t) => {
  const { clock, shelves, session } = await twoNodes();
  const [here, there] = shelves;
  const first = visit();
  here.keep(first, session, 600_000);
  await first.answer();
  const slow = visit();
  await here.find(slow, PLACE);
  clock.forward(61);
  const next = visit();
  t.not(await there.find(next, PLACE), undefined);
  await t.throwsAsync(slow.answer(), { code: 'authentication_busy' });
  await next.answer();
});

test('other tabs and pushed requests are found on every node, and the cookie does not stand in the store', async (t) => {
  const { store, clock, shelves, session } = await twoNodes();
  const [here, there] = shelves;
  const first = visit();
  here.keep(first, session, 60_000);
  await first.answer();
  t.is(await there.tabOfPushed(PLACE, 'urn:1'), PLACE.tabId);
  t.is(await there.tabOfPushed({ ...PLACE, rootId: 'x'.repeat(24) }, 'urn:1'), undefined);
  t.false(await there.hasOthers(PLACE));
  t.true(await there.hasOthers({ ...PLACE, tabId: 'u'.repeat(11) }));
  const range = { realm: 'demo', namespace: '/authentication-sessions', prefix: '', first: 0, max: 9 };
  const stored = JSON.stringify(await store.entries.list({ ...range, now: clock.now() }));
  t.true(stored.includes('urn:1'));
  t.false(stored.includes(PLACE.rootId));
  clock.forward(61);
  t.is(await there.find(visit(), PLACE), undefined);
});
