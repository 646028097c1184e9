import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { RecordStore } from '../../core/store/records/record-store.js';
import type { Connection } from '../../core/store/sqlite/connection.js';
import { openMemoryDatabase } from '../../core/store/sqlite/open-database.js';
import { SqliteReader } from '../../core/store/sqlite/reader.js';
import { SqliteEngine } from '../../core/store/sqlite/sqlite-engine.js';
import { commitGroup, type Request } from '../../core/store/sqlite/writing/group-commit.js';
import type { Receiver, Transport } from '../../core/store/sqlite/writing/writer.js';
import { SqliteWriter } from '../../core/store/sqlite/writing/writer.js';
import { NOW, REALM, user } from './records.js';

/**
 * Commits one transaction when the test calls it, as the writer thread does on its own. Its clock never moves, so that
 * the machine's speed does not decide how much one transaction writes.
 */
class SteppedTransport implements Transport {
  waiting: Request[] = [];
  readonly #db: Connection;
  readonly #receiver: Receiver;

  constructor(db: Connection, receiver: Receiver) {
    this.#db = db;
    this.#receiver = receiver;
  }

  send(requests: readonly Request[]): void {
    this.waiting.push(...requests);
  }

  /** Returns the names of the operations that were committed. */
  async commit(): Promise<string[]> {
    const reply = commitGroup(this.#db, this.waiting, 0, () => 0);
    const committed = this.waiting.splice(0, reply.results.length).map(([name]) => name);
    this.#receiver.reply(reply);
    // Callers continue, and their next requests are sent.
    for (let turns = 0; turns < 3; turns += 1) await turn();
    return committed;
  }

  async close(): Promise<void> {}
}

function open() {
  const db = openMemoryDatabase(NOW);
  const writer = new SqliteWriter();
  const transport = new SteppedTransport(db, writer);
  writer.connect(transport);
  return { store: new RecordStore(new SqliteEngine(new SqliteReader(db), writer)), transport };
}

const claim = (realm: string, keyHash: string) => ({ realm, kind: 'k', keyHash, now: NOW, expiresAt: NOW + 1 });
const manyUsers = (count: number) => Array.from({ length: count }, (_, index) => user(`user-${index}`));

test('writer: writes in the middle of an import of users are answered after one of its transactions', async (t) => {
  const { store, transport } = open();
  let isImported = false;
  const realm = { id: REALM, name: REALM, representation: { realm: REALM } };
  const importing = store.realms.put(realm, { expectedVersion: 0, users: manyUsers(1000) }).then((outcome) => {
    isImported = true;
    return outcome;
  });
  await turn();
  const committed: string[] = [];
  while (!committed.includes('userLoads.add')) committed.push(...(await transport.commit()));
  t.deepEqual(
    transport.waiting.map(([name]) => name),
    ['userLoads.add'],
    'the next piece is sent already',
  );
  let answered = 0;
  const logins = Array.from({ length: 40 }, (_, index) =>
    store.marks.claim(claim(index % 2 === 0 ? REALM : 'other', `${index}`)).then(() => {
      answered += 1;
    }),
  );
  await turn();
  t.deepEqual(await transport.commit(), ['userLoads.add']);
  t.is(answered, 0);
  t.deepEqual(await transport.commit(), Array(40).fill('marks.claim'));
  t.is(answered, 40);
  t.false(isImported);
  let transactions = 0;
  for (; !isImported; transactions += 1) {
    const names = await transport.commit();
    t.is(names.length, 1);
  }
  t.true(transactions >= 1000 / 50 - 2, `the rest of the import took ${transactions} transactions`);
  t.like(await importing, { usersCreated: 1000 });
  await Promise.all(logins);
});

test('writer: writes of a realm do not wait for all that another realm has requested before', async (t) => {
  const { store, transport } = open();
  const order: string[] = [];
  const all = Array.from({ length: 2000 }, (_, index) =>
    store.marks.claim(claim('busy', `${index}`)).then(() => order.push('busy')),
  );
  await turn();
  all.push(store.marks.claim(claim('quiet', '0')).then(() => order.push('quiet')));
  await turn();
  while (order.length < 2001) await transport.commit();
  await Promise.all(all);
  const place = order.indexOf('quiet');
  t.true(place <= 2 * 256, `${place} others were answered before`);
  const requests = Array.from({ length: 300 }, (_, index) => store.marks.claim(claim('busy', `again ${index}`)));
  await turn();
  while (transport.waiting.length > 0) await transport.commit();
  t.deepEqual(new Set(await Promise.all(requests)), new Set([true]), 'those that were not sent at once are sent later');
});

test('writer: of several bulk writes only one is sent at a time', async (t) => {
  const { store, transport } = open();
  const puts = ['one', 'two', 'three'].map((name) => {
    const users = manyUsers(60).map((one) => ({ ...one, realm: name }));
    const realm = { id: name, name, representation: { realm: name } };
    return store.realms.put(realm, { expectedVersion: 0, users });
  });
  await turn();
  while (transport.waiting.length > 0) {
    t.true(transport.waiting.filter(([name]) => name === 'userLoads.add').length <= 1);
    await transport.commit();
  }
  for (const outcome of await Promise.all(puts)) t.like(outcome, { usersCreated: 60 });
});

/** The first start of a host with thousands of realms: a transaction for each would sync the disk as often. */
test('writer: many small realms are written in one transaction', async (t) => {
  const { store, transport } = open();
  const names = Array.from({ length: 50 }, (_, index) => `realm-${index}`);
  const puts = names.map((name) =>
    store.realms.put({ id: name, name, representation: { realm: name } }, { expectedVersion: 0 }),
  );
  await turn();
  const committed = await transport.commit();
  t.deepEqual(committed, Array(50).fill('realms.put'));
  for (const outcome of await Promise.all(puts)) t.like(outcome, { version: 1 });
});

test('writer: a realm that is removed while its users are written is not created', async (t) => {
  const { store, transport } = open();
  const realm = { id: REALM, name: REALM, representation: { realm: REALM } };
  const importing = store.realms.put(realm, { expectedVersion: 0, users: manyUsers(200) });
  await turn();
  const committed: string[] = [];
  while (!committed.includes('userLoads.add')) committed.push(...(await transport.commit()));
  const removing = store.realms.remove(REALM);
  await turn();
  while (transport.waiting.length > 0) await transport.commit();
  t.is(await importing, 'conflict');
  t.false(await removing);
  t.is(await store.users.count(REALM), 0);
});
