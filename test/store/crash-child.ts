import { writeSync } from 'node:fs';
import { openStore } from '../../core/store/open-store.js';
import { clientSession, family, NOW, REALM, session, user } from './records.js';

/**
 * Uses a store until the process is killed, and prints a line for everything that the store granted. The first argument
 * is the location of the store, as JSON. The second is the round, so that rounds share no keys. The third is the work:
 * `tokens`, `grants`, `index`, or the number of users of a realm to write. The fourth, for `index`, is the number of
 * pieces after which the process kills itself.
 */
const [, , storeLocation = '', round = '', work = '', pieces = '0'] = process.argv;
const store = await openStore(JSON.parse(storeLocation));
const printLine = (...words: (string | number)[]) => writeWhole(`${words.join(' ')}\n`);

/** Prints a grant before anything else happens: writes synchronously, and retries while the pipe is full. */
function writeWhole(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

async function redeem(caller: number): Promise<void> {
  for (let n = 0; ; n++) {
    const key = { realm: REALM, kind: 'code', keyHash: `${round}-${caller}-${n}` };
    await store.tickets.issue({ ...key, payload: '', expiresAt: NOW + 1 });
    const twice = await Promise.all([1, 2].map(() => store.tickets.redeem({ ...key, now: NOW })));
    for (const { outcome } of twice) if (outcome === 'first') printLine('redeemed', key.keyHash);
  }
}

async function claim(caller: number): Promise<void> {
  for (let n = 0; ; n++) {
    const mark = { realm: REALM, kind: 'jti', keyHash: `${round}-${caller}-${n}`, now: NOW, expiresAt: NOW + 1 };
    for (const claimed of await Promise.all([1, 2].map(() => store.marks.claim(mark)))) {
      if (claimed) printLine('claimed', mark.keyHash);
    }
  }
}

async function rotate(caller: number): Promise<void> {
  const id = `${round}-${caller}`;
  await store.sessions.start(session(id), clientSession(id), family(id, id));
  for (let n = 0; ; n++) {
    const { outcome } = await store.families.rotate({
      realm: REALM,
      family: id,
      presented: `token-${n}`,
      next: `token-${n + 1}`,
      maxReuse: 0,
      now: NOW,
      expiresAt: NOW + 1,
    });
    printLine(outcome, id, n);
  }
}

/**
 * An admin operation of several writes: it stores a user and ends sessions. Its event is committed with the first
 * write.
 */
async function storeUserWithEvent(caller: number): Promise<void> {
  for (let n = 0; ; n++) {
    const id = `${round}-${caller}-${n}`;
    await store.sessions.start({ ...session(id), userId: id });
    const event = { id, realm: REALM, kind: 'admin' as const, time: NOW, type: 'CREATE', body: '{}' };
    await store.withEvents(
      () => [event],
      async () => {
        await store.users.put(user(id, { id }), { expectedVersion: 0 });
        await store.sessions.endAll(REALM, { userId: id });
      },
    );
    printLine('granted', id);
  }
}

printLine('open');
if (work === 'tokens') {
  for (let caller = 0; caller < 8; caller++) for (const use of [redeem, claim, rotate]) void use(caller);
} else if (work === 'grants') {
  for (let caller = 0; caller < 8; caller++) void storeUserWithEvent(caller);
} else if (work === 'index') {
  for (let piece = 0; piece < Number(pieces); piece++) {
    await store.indexUsers();
    printLine('indexed');
  }
  // Dies in the middle of the next piece. A kill from outside might come too late.
  void store.indexUsers();
  for (let turn = Math.random() * 20; turn > 0; turn--) await new Promise(setImmediate);
  process.kill(process.pid, 'SIGKILL');
} else {
  const users = Array.from({ length: Number(work) }, (_, index) => user(`user-${index}`));
  const name = `realm-${round}`;
  const realm = { id: name, name, representation: { realm: name } };
  await store.realms.put(realm, { expectedVersion: 0, users: users.map((one) => ({ ...one, realm: name })) });
  printLine('written', name);
}
