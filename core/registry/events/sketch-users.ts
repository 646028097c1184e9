import { createHmac, randomBytes } from 'node:crypto';
import { UserSketch } from '../../model/user-sketch.js';
import type { ActiveUsers, EntryStore } from '../../store/store.js';

const KEY = { namespace: '/statistics', key: 'user-hash' };

/** The users of a realm who have signed in on one day. */
export interface DayOfUsers {
  readonly realm: string;
  readonly day: number;
  readonly users: Set<string>;
}

/**
 * Returns the sketch of these users, which estimates how many different users there are. The key of its hash is stored
 * separately, so that a copy of the sketches alone does not reveal whether a user has signed in.
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

/**
 * Returns the key of the realm. All hosts that use a store share it, so that a user who signs in at two hosts is
 * counted once.
 */
async function hashKey(entries: EntryStore, realm: string, now: number): Promise<Buffer> {
  const readKey = () => entries.get({ realm, ...KEY, now });
  let storedKey = await readKey();
  if (storedKey === undefined) {
    const value = JSON.stringify(randomBytes(32).toString('base64'));
    await entries.replace({ realm, ...KEY, expected: undefined, value, now });
    storedKey = await readKey();
  }
  if (storedKey === undefined) throw new Error('the key of the sketches is gone');
  return Buffer.from(JSON.parse(storedKey) as string, 'base64');
}
