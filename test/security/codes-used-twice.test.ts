import test, { type ExecutionContext } from 'ava';
import { replacing } from '../../core/di/module.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import type { Store as HostStore } from '../../core/store/store.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { Browser } from '../helpers/form-browser.js';
import { gate } from '../helpers/gate.js';
import { type Answer, claimsOf, fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { introspect, post, userinfo, WEB } from '../helpers/login.js';
import { reachedAt, startNodes } from '../helpers/nodes.js';

const OFFLINE = { scope: 'openid offline_access' };

/** With and without rotation of refresh tokens. */
const realms = (): RealmRepresentation[] => [codeRealm('demo'), codeRealm('fixed', { revokeRefreshToken: false })];

/** True for each use of the response's tokens that works: introspection, userinfo and refresh. */
async function work(host: TestHost, { json }: Answer): Promise<boolean[]> {
  const access = String(json.access_token);
  const refresh_token = String(json.refresh_token);
  const told = await introspect(host, access);
  const shown = await userinfo(host, access);
  const refreshed = await post(host, 'token', { ...WEB, grant_type: 'refresh_token', refresh_token });
  return [(told.json.active as unknown) === true, shown.status === 200, refreshed.status === 200];
}

function isRefused(t: ExecutionContext, { status, json }: Answer, what: string) {
  t.deepEqual([status, json.error], [400, 'invalid_grant'], what);
}

/** Holds the next call of a store method until it is released. */
class Holds {
  readonly #waiting = new Map<string, { reached: () => void; opened: Promise<void> }>();

  next(method: string): { readonly reached: Promise<void>; letGo(): void } {
    const here = gate();
    const on = gate();
    this.#waiting.set(method, { reached: here.open, opened: on.opened });
    return { reached: here.opened, letGo: on.open };
  }

  over<T extends object>(of: T): T {
    return new Proxy(of, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (key === 'sessions') return this.over(value as object);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          const hold = this.#waiting.get(String(key));
          if (hold === undefined) return value.apply(target, given);
          this.#waiting.delete(String(key));
          hold.reached();
          return hold.opened.then(() => value.apply(target, given));
        };
      },
    });
  }
}

test('T555 · codes used twice: a code that is used twice leaves no token that works, and the login goes on', async (t) => {
  const host = await startHost(t, { realms: realms() });
  for (const home of ['demo', 'fixed']) {
    const at = { ...host, defaultRealm: home };
    for (const asked of [{}, OFFLINE]) {
      const browser = new Browser();
      const fresh = await freshCode(at, asked, browser);
      const won = await redeem(at, fresh);
      t.is(won.status, 200, won.text);
      t.deepEqual((await introspect(at, String(won.json.access_token))).json.active, true);
      isRefused(t, await redeem(at, fresh), home);
      t.deepEqual(await work(at, won), [false, false, false], home);
      const again = await freshCode(at, asked, browser);
      t.is(again.session, fresh.session, 'the browser is logged in still');
    }
  }
});

test('T556 · codes used twice: a second use during the first leaves nobody a valid token', async (t) => {
  const holds = new Holds();
  const clock = new TestClock();
  const store = holds.over<HostStore>(await openMemoryStore());
  const host = await startHost(t, { realms: realms(), clock, replace: [replacing(Store, store)] });
  const places: [method: string, asked: Record<string, string>][] = [
    ['attach', {}],
    ['commit', OFFLINE],
  ];
  for (const [method, asked] of places) {
    for (const comesBack of [false, true]) {
      const what = `${method} ${JSON.stringify(asked)} ${comesBack}`;
      const browser = new Browser();
      const fresh = await freshCode(host, asked, browser);
      const hold = holds.next(method);
      const first = redeem(host, fresh);
      await hold.reached;
      clock.forward(0.02);
      isRefused(t, await redeem(host, fresh), what);
      // The client signs in again before the first use continues: its earlier session must not be restored.
      const again = comesBack ? await freshCode(host, asked, browser) : undefined;
      hold.letGo();
      const won = await first;
      t.is(won.status, 200, `${what} ${won.text}`);
      t.deepEqual(await work(host, won), [false, false, false], what);
      if (again === undefined) continue;
      const own = await redeem(host, again);
      t.is(own.status, 200, `${what} ${own.text}`);
      t.deepEqual(await work(host, own), [true, true, true], what);
      t.deepEqual(await work(host, won), [false, false, false], what);
    }
  }
});

test('T857 · codes used twice: a first use that has not taken its code yet is the second one', async (t) => {
  const holds = new Holds();
  const store = holds.over<HostStore>(await openMemoryStore());
  const host = await startHost(t, { realms: realms(), replace: [replacing(Store, store)] });
  for (const asked of [{}, OFFLINE]) {
    const fresh = await freshCode(host, asked);
    const hold = holds.next('find');
    const late = redeem(host, fresh);
    await hold.reached;
    const won = await redeem(host, fresh);
    t.is(won.status, 200, won.text);
    hold.letGo();
    isRefused(t, await late, 'late');
    t.deepEqual(await work(host, won), [false, false, false]);
  }
  // A user who has signed out meanwhile gets no tokens, by neither use.
  const fresh = await freshCode(host);
  const hold = holds.next('attach');
  const first = redeem(host, fresh);
  await hold.reached;
  await store.sessions.end({ realm: 'demo', id: fresh.session, offline: false });
  hold.letGo();
  isRefused(t, await first, 'logged out');
});

test('T856 · codes used twice: of two parallel uses the first is answered, and none of its tokens works afterwards', async (t) => {
  const host = await startHost(t, { realms: realms() });
  for (const home of ['demo', 'fixed']) {
    const at = { ...host, defaultRealm: home };
    const codes = [];
    for (let i = 0; i < 12; i += 1) codes.push(await freshCode(at, i % 2 === 0 ? {} : OFFLINE));
    const races = await Promise.all(codes.map((code) => Promise.all([redeem(at, code), redeem(at, code)])));
    for (const answers of races) {
      const [won, lost] = answers.toSorted((a, b) => a.status - b.status) as [Answer, Answer];
      t.is(won.status, 200, `${home} ${won.text}`);
      t.truthy(won.json.id_token && won.json.refresh_token);
      isRefused(t, lost, home);
      t.deepEqual(await work(at, won), [false, false, false], home);
    }
  }
});

test('T557 · codes used twice: it does not matter which node a code is used at', async (t) => {
  const { nodes, front } = await startNodes(t, { realms: realms() });
  const [here, there] = nodes.map((node) => reachedAt(node, node.url)) as [TestHost, TestHost];
  for (const asked of [{}, OFFLINE]) {
    const one = await freshCode(front, asked);
    const won = await redeem(here, one);
    t.is(won.status, 200, won.text);
    isRefused(t, await redeem(there, one), 'one after the other');
    for (const node of [here, there]) t.deepEqual(await work(node, won), [false, false, false]);
    const other = await freshCode(front, asked);
    const both = await Promise.all([here, there, here, there].map((node) => redeem(node, other)));
    t.is(both.filter(({ status }) => status === 200).length, 1);
    for (const answer of both) {
      if (answer.status === 200) t.deepEqual(await work(there, answer), [false, false, false], 'at once');
      else isRefused(t, answer, 'at once');
    }
  }
});

test('T558 · codes used twice: tokens of a code that was used twice stay invalid when the client signs in again', async (t) => {
  const clock = new TestClock();
  const host = await startHost(t, { realms: realms(), clock });
  for (const home of ['demo', 'fixed']) {
    const at = { ...host, defaultRealm: home };
    for (const asked of [{}, OFFLINE]) {
      const browser = new Browser();
      const fresh = await freshCode(at, asked, browser);
      const stolen = await redeem(at, fresh);
      isRefused(t, await redeem(at, fresh), home);
      // At once: the client reacts to the refusal with a new login.
      clock.forward(0.05);
      const own = await redeem(at, await freshCode(at, asked, browser));
      t.is(own.status, 200, own.text);
      const refresh_token = String(stolen.json.refresh_token);
      isRefused(t, await post(at, 'token', { ...WEB, grant_type: 'refresh_token', refresh_token }), home);
      t.false((await introspect(at, String(stolen.json.access_token))).json.active, home);
      t.is((await userinfo(at, String(stolen.json.access_token))).status, 401, home);
      t.deepEqual(await work(at, own), [true, true, true], `${home} ${JSON.stringify(asked)}`);
    }
  }
});

test('T559 · codes used twice: only the code ends its tokens', async (t) => {
  const host = await startHost(t, { realms: realms() });
  const fresh = await freshCode(host);
  const won = await redeem(host, fresh);
  const sid = String(claimsOf(String(won.json.access_token)).sid);
  const [random = '', session = '', client = ''] = fresh.code.split('.');
  t.is(session, sid);
  const uses: [what: string, status: number, answer: Promise<Answer>][] = [
    ['a code that was made up for the session', 400, redeem(host, { ...fresh, code: `made-up.${session}.${client}` })],
    [
      'another code of the same length',
      400,
      redeem(host, { ...fresh, code: fresh.code.replace(random, 'A'.repeat(32)) }),
    ],
    ['the code in another realm', 400, redeem(host, fresh, {}, 'fixed')],
    ['a wrong secret', 401, redeem(host, fresh, { client_secret: 'wrong' })],
    ['no secret', 401, redeem(host, fresh, { client_secret: undefined })],
    ['no client', 401, redeem(host, fresh, { client_id: undefined, client_secret: undefined })],
    ['a client that is not there', 401, redeem(host, fresh, { client_id: 'nobody', client_secret: undefined })],
    ['the code twice in one request', 400, twice(host, fresh.code)],
  ];
  for (const [what, status, answer] of uses) t.is((await answer).status, status, what);
  t.deepEqual(await work(host, won), [true, true, true]);
});

function twice(host: TestHost, code: string): Promise<Answer> {
  const form = [...Object.entries({ ...WEB, grant_type: 'authorization_code', code }), ['code', code]] as [
    string,
    string,
  ][];
  return fetchAnswer(`${host.oidc('demo')}/token`, { method: 'POST', body: new URLSearchParams(form) });
}
