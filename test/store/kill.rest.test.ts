import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
// biome-ignore lint/plugin: the process is killed at a random moment of its work
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openStore, type StoreLocation } from '../../core/store/open-store.js';
import type { Connection } from '../../core/store/sqlite/connection.js';
import { openDatabase } from '../../core/store/sqlite/open-database.js';
import type { Store } from '../../core/store/store.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { type PostgresqlServer, startPostgresql } from '../helpers/postgresql-server.js';
import { NOW, REALM, user } from './records.js';
import { temporaryDirectory } from './temporary-directory.js';

const CHILD = fileURLToPath(new URL('./crash-child.js', import.meta.url));

let server: Promise<PostgresqlServer> | undefined;

const engines: Record<string, (t: ExecutionContext) => Promise<StoreLocation>> = {
  sqlite: async (t) => ({ dataDir: await temporaryDirectory(t), postgresql: undefined }),
  postgresql: async () => {
    server ??= startPostgresql({ isDurable: true });
    return { dataDir: 'unused', postgresql: await (await server).database() };
  },
};

/** Registers a test for each engine. */
function testOnEachEngine(title: string, run: (t: ExecutionContext, place: StoreLocation) => Promise<void>): void {
  for (const [name, placeOf] of Object.entries(engines)) {
    const register = name === 'postgresql' ? testPostgresql : test;
    register(`${name}: ${title}`, async (t: ExecutionContext) => {
      t.timeout(120_000);
      await run(t, await placeOf(t));
    });
  }
}

/**
 * Runs the child and kills it up to `longest` milliseconds after it has printed all of `words`. It prints `open` once
 * its store is open.
 * @returns the lines that it printed, split into words
 */
async function runAndKillChild(
  args: readonly string[],
  maxDelayMs: number,
  words: readonly string[] = ['open'],
): Promise<string[][]> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[][] = [];
  if (child.stdout === null) throw new Error('the child has no output');
  const reader = createInterface(child.stdout);
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]);
  const wordsPrinted = new Promise<void>((resolve) => {
    reader.on('line', (line) => {
      lines.push(line.split(' '));
      if (words.every((word) => lines.some(([what]) => what === word))) resolve();
    });
  });
  await Promise.race([wordsPrinted, ended]);
  await sleep(Math.random() * maxDelayMs);
  child.kill('SIGKILL');
  await ended;
  return lines;
}

function rotationArgs(family: string, presented: string) {
  return { realm: REALM, family, presented, next: 'after-the-crash', maxReuse: 0, now: NOW, expiresAt: NOW + 1 };
}

testOnEachEngine(
  'kill -9: nothing that was granted is lost or granted again when the process is killed',
  async (t, place) => {
    const granted = { redeemed: new Set<string>(), claimed: new Set<string>() };
    let rotations = 0;
    for (let round = 0; round < 10; round++) {
      // In every other round the child has granted something before it is killed, even on a slow machine.
      const words = round % 2 === 0 ? ['open'] : ['redeemed', 'claimed', 'rotated'];
      const families = new Map<string, number>();
      for (const [what = '', key = '', generation] of await runAndKillChild(
        [JSON.stringify(place), `${round}`, 'tokens'],
        350,
        words,
      )) {
        if (what === 'redeemed' || what === 'claimed') {
          if (granted[what].has(key)) t.fail(`${key} was ${what} twice`);
          granted[what].add(key);
        } else if (what === 'rotated') {
          families.set(key, Number(generation));
          rotations += 1;
        } else t.is(what, 'open');
      }
      const store = await openStore(place);
      await checkFamilies(store, families, t.log.bind(t), t.fail.bind(t));
      await store.close();
    }
    const store = await openStore(place);
    const lost: string[] = [];
    for (const keyHash of granted.redeemed) {
      const { outcome } = await store.tickets.redeem({ realm: REALM, kind: 'code', keyHash, now: NOW });
      if (outcome !== 'replayed') lost.push(`${keyHash} ${outcome}`);
    }
    for (const keyHash of granted.claimed) {
      if (await store.marks.claim({ realm: REALM, kind: 'jti', keyHash, now: NOW, expiresAt: NOW + 1 }))
        lost.push(keyHash);
    }
    await store.close();
    t.deepEqual(lost, []);
    t.log(`${granted.redeemed.size} redemptions, ${granted.claimed.size} claims, ${rotations} rotations`);
    t.true(granted.redeemed.size > 0 && granted.claimed.size > 0 && rotations > 0, 'the rounds did something');
  },
);

testOnEachEngine(
  'kill -9: of a writer that is killed every grant has its event, and every event its grant',
  async (t, place) => {
    let told = 0;
    for (let round = 0; round < 8; round++) {
      const lines = await runAndKillChild([JSON.stringify(place), `${round}`, 'grants'], 350, [
        round % 2 === 0 ? 'open' : 'granted',
      ]);
      const store = await openStore(place);
      const prefix = `${round}-`;
      const users = (await store.users.find(REALM, { username: prefix, max: 1_000_000 })).map(({ id }) => id);
      const events = await store.events.query(REALM, { kind: 'admin', max: 1_000_000 });
      const ids = events.map(({ id }) => id).filter((id) => id.startsWith(prefix));
      await store.close();
      t.deepEqual(ids.sort(), users.filter((id) => id.startsWith(prefix)).sort());
      const granted = lines.filter(([what]) => what === 'granted').map(([, id = '']) => id);
      t.deepEqual(
        granted.filter((id) => !ids.includes(id)),
        [],
      );
      told += granted.length;
    }
    t.log(`${told} grants`);
    t.true(told > 0, 'the rounds did something');
  },
);

/** Half of the families present the newest token that they received, the others the last one that they used. */
async function checkFamilies(
  store: Store,
  families: ReadonlyMap<string, number>,
  log: (text: string) => void,
  fail: (text: string) => void,
): Promise<void> {
  for (const [index, [family, used]] of [...families].entries()) {
    const newest = index % 2 === 0;
    const { outcome } = await store.families.rotate(rotationArgs(family, `token-${newest ? used + 1 : used}`));
    // The store may have committed a rotation whose answer was never printed.
    const expectedOutcomes = newest ? ['rotated', 'reused'] : ['reused', 'stale'];
    if (!expectedOutcomes.includes(outcome))
      fail(`${family} answers ${outcome} to its ${newest ? 'newest' : 'used'} token`);
  }
  log(`${families.size} families checked`);
}

testOnEachEngine(
  'kill -9: a realm whose writer is killed is there with all its users or not at all',
  async (t, place) => {
    const users = 20_000;
    for (let round = 0; round < 5; round++) {
      const lines = await runAndKillChild([JSON.stringify(place), `${round}`, `${users}`], 600);
      const written = lines.some(([what]) => what === 'written');
      const store = await openStore(place);
      const there = (await store.realms.get(`realm-${round}`)) !== undefined;
      t.is(await store.users.count(`realm-${round}`), there ? users : 0);
      if (written) t.true(there);
      t.log(`${written ? 'acknowledged' : 'not acknowledged'}, ${there ? 'there' : 'absent'}`);
      await store.close();
    }
  },
);

test('kill -9: sqlite: the next host goes on with an index of users that a killed one was making, and everybody is found', async (t) => {
  t.timeout(120_000);
  const place = { dataDir: await temporaryDirectory(t), postgresql: undefined };
  const count = 6000;
  const written = await openStore(place);
  const users = Array.from({ length: count }, (_, index) => user(`user-${index}`));
  const realm = { id: REALM, name: REALM, representation: { realm: REALM } };
  await written.realms.put(realm, { expectedVersion: 0, users });
  await written.close();
  // Restores the state before the index was made: no user is indexed.
  const raw = async <Result>(use: (db: Connection) => Result) => {
    const db = openDatabase(join(place.dataDir, 'keyhost.db'), NOW);
    const result = use(db);
    db.close();
    return result;
  };
  await raw((db) => {
    db.exec("INSERT INTO users_search (users_search) VALUES ('delete-all')");
    for (const table of ['places', 'texts', 'waiting']) db.exec(`DELETE FROM users_search_${table}`);
    db.exec("UPDATE users_search_progress SET realm = '', id = '', done = 0");
  });
  const progress = () =>
    raw((db) => ({
      ...db.get<{ id: string; done: number }>('SELECT id, done FROM users_search_progress'),
      places: db.get<{ places: number }>('SELECT count(*) AS places FROM users_search_places')?.places ?? 0,
    }));
  let before = 0;
  for (const pieces of [1, 4, 3]) {
    const lines = await runAndKillChild([JSON.stringify(place), '0', 'index', `${pieces}`], 0, ['its own end']);
    t.deepEqual(lines.flat(), ['open', ...Array.from({ length: pieces }, () => 'indexed')]);
    const { done, places, id } = await progress();
    t.is(done, 0);
    t.not(id, '');
    t.true(places > before && places < count, `${places} of ${count} after ${before}`);
    before = places;
  }
  const store = await openStore(place);
  while (!(await store.indexUsers()));
  for (const [search, pattern] of [
    ['*-77*', /-77/],
    ['user-59', /^user-59/],
    ['"user-4321"', /^user-4321$/],
    ['*nobody*', /nobody/],
  ] as const) {
    const found = (await store.users.find(REALM, { search, max: count })).map(({ username }) => username);
    const expected = users.map(({ username }) => username).filter((name) => pattern.test(name));
    t.deepEqual(found, expected.sort(), search);
  }
  await store.close();
  await raw((db) => db.exec("INSERT INTO users_search (users_search) VALUES ('integrity-check')"));
  t.like(await progress(), { done: 1, places: count });
});
