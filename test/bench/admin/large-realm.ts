import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { personOf } from '../people.js';

const USERS_PER_FILE = 20_000;

/** Writes a realm file, and separate files with its users. */
export async function writeLargeRealm(
  realmsDir: string,
  realm: { readonly realm: string },
  count: number,
): Promise<void> {
  const path = (part: string) => join(realmsDir, `${realm.realm}-${part}.json`);
  await writeFile(path('realm'), JSON.stringify(realm));
  for (let first = 0; first < count; first += USERS_PER_FILE) {
    const some = { realm: realm.realm, users: users(first, Math.min(USERS_PER_FILE, count - first), count) };
    await writeFile(path(`users-${first / USERS_PER_FILE}`), JSON.stringify(some));
  }
}

/** Users of a realm that has a role `reader` and a group `team`. @param all the final number of users */
export function users(first: number, count: number, all: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(first + index).padStart(6, '0');
    return {
      username: `user${number}`,
      email: `user${number}@example.com`,
      ...personOf(first + index, all),
      enabled: true,
      realmRoles: ['reader'],
      groups: ['/team'],
    };
  });
}

/** That realm without its users. */
export const roomFor = (realm: string) => ({
  realm,
  enabled: true,
  roles: { realm: [{ name: 'reader' }, { name: 'writer' }] },
  groups: [{ name: 'team', realmRoles: ['reader'] }],
});
