import { connect } from 'node:net';
import { HostError } from '@keyhost/spi';
import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { realHashes } from '../helpers/cheap-hashes.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, follow, issueKey, logIn, post, press, SVC, userinfo, WEB } from '../helpers/login.js';
import { folder, remote, run } from '../helpers/process.js';
import { guardedRealm } from '../helpers/realms.js';

const kids = async (host: TestHost) => {
  const { json } = await fetchAnswer(`${host.oidc('demo')}/certs`);
  return (json as unknown as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
};
const refresh = (host: TestHost, token: string) =>
  host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: token });

test('T230 T231 · process: after kill -9 every promise holds, and used values stay used', async (t) => {
  const dir = await folder(t, [guardedRealm('demo', { singleUse: true })]);
  const first = await run(t, dir, ['start-dev']);
  let host = remote(first);
  const used = await issueKey(host);
  const unused = await issueKey(host);
  const spent = await logIn(host);
  const kept = await logIn(host);
  const before = await kids(host);
  const rotated = await refresh(host, spent.refresh_token);
  t.is(rotated.status, 200);
  t.is((await follow(host, used)).status, 200);
  first.child.kill('SIGKILL');
  t.is(await first.ended, 'SIGKILL');
  const second = await run(t, dir, ['start-dev'], {}, new URL(host.url).port);
  host = remote(second);
  t.deepEqual(await kids(host), before, 'no key was made anew');
  t.is((await follow(host, used)).status, 400);
  t.is((await press(host, used)).status, 400);
  t.is((await follow(host, unused)).status, 200);
  t.is((await userinfo(host, kept.access_token)).status, 200);
  t.is((await refresh(host, kept.refresh_token)).status, 200);
  t.is((await userinfo(host, rotated.json.access_token ?? '')).status, 200);
  const replayed = await refresh(host, spent.refresh_token);
  t.deepEqual([replayed.status, replayed.json.error], [400, 'invalid_grant']);
});

function refusesConnections(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}

test('T233 · process: SIGTERM answers the logins under way, refuses new ones, and exits with 0', async (t) => {
  const dir = await folder(t, [guardedRealm('demo')]);
  const child = await run(t, dir, ['start-dev']);
  const host = remote(child);
  await logIn(host);
  const logins = Array.from({ length: 200 }, () =>
    host.token('demo', { ...WEB, ...ALICE_LOGIN }).then(
      ({ status, json }) => {
        if (status === 200) t.is(typeof json.access_token, 'string', 'a whole answer');
        return status;
      },
      () => 0,
    ),
  );
  await Promise.race(logins);
  child.child.kill('SIGTERM');
  await eventually(() => refusesConnections(host.url));
  t.is(child.child.exitCode, null, 'it refuses while it drains');
  t.is(await child.ended, 0, child.output());
  const answers = await Promise.all(logins);
  t.true(
    answers.every((status) => [200, 0, 503].includes(status)),
    answers.join(),
  );
  t.true(answers.filter((status) => status === 200).length > 0);
  t.notRegex(child.output(), /unhandled|TypeError/i);
});

test('T237 · process: two hundred parallel logins are served or get 503, and the rest of the host works', async (t) => {
  const host = await startHost(t, { realms: [guardedRealm('demo')], replace: [realHashes] });
  let over = false;
  const storm = Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      host.token('demo', { ...WEB, ...ALICE_LOGIN, ...(i % 4 === 0 ? { password: `wrong-${i}` } : {}) }),
    ),
  ).finally(() => {
    over = true;
  });
  let meanwhile = 0;
  while (!over) {
    t.is((await fetchAnswer(`${host.managementUrl}/health`)).status, 200);
    t.is((await host.token('demo', { ...SVC, grant_type: 'client_credentials' })).status, 200);
    meanwhile += 1;
  }
  t.true(meanwhile > 5, 'others are answered between the logins');
  for (const [i, { status, json }] of (await storm).entries()) {
    t.true([i % 4 === 0 ? 400 : 200, 503].includes(status), `${status}`);
    t.is('access_token' in json, status === 200);
    if (status === 503) t.is(json.error, 'temporarily_unavailable');
  }
  t.is((await host.token('demo', { ...WEB, ...ALICE_LOGIN })).status, 200);
});

/** A store that rejects every write while `full` returns true. */
function fillable(store: Store, full: () => boolean): Store {
  const reads = /^(get|find|list|has|by[A-Z]|count|query|close|search|owner)/;
  const guard = <T extends object>(room: T): T =>
    new Proxy(room, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'object' && member !== null) return guard(member);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          if (!reads.test(String(name)) && full()) {
            return Promise.reject(new HostError('store_unavailable', 'the disk is full', { status: 503 }));
          }
          return Reflect.apply(member, target, args);
        };
      },
    });
  return guard(store);
}

test('T234 · process: while nothing can be written nothing is granted, and everything goes on afterwards', async (t) => {
  let full = false;
  const store = fillable(await openMemoryStore(), () => full);
  const host = await startHost(t, {
    realms: [guardedRealm('demo', { singleUse: true })],
    replace: [replacing(Store, store)],
  });
  const tokens = await logIn(host);
  const key = await issueKey(host);
  full = true;
  const answers = {
    login: await host.token('demo', { ...WEB, ...ALICE_LOGIN }),
    refresh: await refresh(host, tokens.refresh_token),
    link: await follow(host, key),
    revocation: await post(host, 'revoke', { ...WEB, token: tokens.refresh_token }),
  };
  for (const [name, { status, json, text }] of Object.entries(answers)) {
    t.deepEqual([status, json.error], [503, 'unknown_error'], `${name} ${text}`);
    t.notRegex(text, /access_token|disk/, name);
  }
  t.is((await userinfo(host, tokens.access_token)).status, 200, 'what only reads is answered');
  full = false;
  t.is((await follow(host, key)).status, 200);
  t.is((await refresh(host, tokens.refresh_token)).status, 200);
  t.truthy((await logIn(host)).access_token);
});
