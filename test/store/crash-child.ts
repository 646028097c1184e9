import { writeSync } from 'node:fs';
import { openStore } from '../../core/store/open-store.js';
import { clientSession, family, NOW, REALM, session, user } from './records.js';

/**
 * A program that uses the store that its first argument names as JSON without end, and writes a line for each thing it was granted,
 * until it is killed. The second argument names the round, so that rounds do not share keys; the third is `tokens`,
 * `grants`, `index` with a number of pieces after which it kills itself, or the number of users of a realm to write.
 */
const [, , place = '', round = '', work = '', pieces = '0'] = process.argv;
const store = await openStore(JSON.parse(place));
const say = (...words: (string | number)[]) => writeWhole(`${words.join(' ')}\n`);

/** What was granted is told before anything else happens; a pipe that is full is waited for. */
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
    for (const { outcome } of twice) if (outcome === 'first') say('redeemed', key.keyHash);
  }
}

async function claim(caller: number): Promise<void> {
  for (let n = 0; ; n++) {
    const mark = { realm: REALM, kind: 'jti', keyHash: `${round}-${caller}-${n}`, now: NOW, expiresAt: NOW + 1 };
    for (const claimed of await Promise.all([1, 2].map(() => store.marks.claim(mark)))) {
      if (claimed) say('claimed', mark.keyHash);
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
    say(outcome, id, n);
  }
}

/** What an admin does in several writes: rights are granted, and sessions end. Its event goes with the first of them. */
async function grant(caller: number): Promise<void> {
  for (let n = 0; ; n++) {
    const id = `${round}-${caller}-${n}`;
    await store.sessions.start({ ...session(id), userId: id });
    const event = { id, realm: REALM, kind: 'admin' as const, time: NOW, type: 'CREATE', body: '{}' };
    await store.recording(
      () => [event],
      async () => {
        await store.users.put(user(id, { id }), { expectedVersion: 0 });
        await store.sessions.endAll(REALM, { userId: id });
      },
    );
    say('granted', id);
  }
}

say('open');
if (work === 'tokens') {
  for (let caller = 0; caller < 8; caller++) for (const use of [redeem, claim, rotate]) void use(caller);
} else if (work === 'grants') {
  for (let caller = 0; caller < 8; caller++) void grant(caller);
} else if (work === 'index') {
  for (let piece = 0; piece < Number(pieces); piece++) {
    await store.indexUsers();
    say('indexed');
  }
  // In the middle of the next one: who watches from outside might come too late.
  void store.indexUsers();
  for (let turn = Math.random() * 20; turn > 0; turn--) await new Promise(setImmediate);
  process.kill(process.pid, 'SIGKILL');
} else {
  const users = Array.from({ length: Number(work) }, (_, index) => user(`user-${index}`));
  const name = `realm-${round}`;
  const realm = { id: name, name, representation: { realm: name } };
  await store.realms.put(realm, { expectedVersion: 0, users: users.map((one) => ({ ...one, realm: name })) });
  say('written', name);
}
