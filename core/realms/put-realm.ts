import type { RealmRecord, RealmStore, Store } from '../store/store.js';
import type { Users } from '../users/users.js';

/**
 * Writes a realm. If that fails, its new users are forgotten: users of a large import can be read before the realm is
 * written.
 */
export async function putRealm(
  { store, users }: { readonly store: Store; readonly users: Users },
  realm: Omit<RealmRecord, 'version'>,
  options: Parameters<RealmStore['put']>[1],
): ReturnType<RealmStore['put']> {
  let isWritten = false;
  try {
    const outcome = await store.realms.put(realm, options);
    isWritten = typeof outcome !== 'string';
    return outcome;
  } finally {
    const addsUsers = (options.users?.length ?? 0) + (options.imported?.users.length ?? 0) > 0;
    if (!isWritten && addsUsers) users.evictAll(realm.name);
  }
}
