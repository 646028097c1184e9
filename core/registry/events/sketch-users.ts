import { createHmac, randomBytes } from 'node:crypto';
import { UserSketch } from '../../model/user-sketch.js';
import type { ActiveUsers, EntryStore } from '../../store/store.js';

const KEY = { namespace: '/statistics', key: 'user-hash' };

/** Users of a realm who have signed in on a day. */
export interface DayOfUsers {
  readonly realm: string;
  readonly day: number;
  readonly users: Set<string>;
}

/**
 * Returns the sketch of these users. Its hash has a key that is stored separately, so that a copy of the sketches alone
 * does not reveal if a user signed in.
 */
export async function sketchUsers(
  entries: EntryStore,
  { realm, day, users }: DayOfUsers,
  now: number,
): Promise<ActiveUsers> {
  const key = await hashKey(entries, realm, now);
  const sketch = new UserSketch();
  for (const user of users) sketch.add(createHmac('sha256', key).update(user).digest());
  return { realm, day, sketch: sketch.toString() };
}

/** Returns the key of the realm, which all hosts on a store share, so that a user of two hosts is counted once. */
async function hashKey(entries: EntryStore, realm: string, now: number): Promise<Buffer> {
  const read = () => entries.get({ realm, ...KEY, now });
  let kept = await read();
  if (kept === undefined) {
    const value = JSON.stringify(randomBytes(32).toString('base64'));
    await entries.replace({ realm, ...KEY, expected: undefined, value, now });
    kept = await read();
  }
  if (kept === undefined) throw new Error('the key of the sketches is gone');
  return Buffer.from(JSON.parse(kept) as string, 'base64');
}
