import { EventStore } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';

/** The built-in store, by Keycloak's ID. */
export const BUILT_IN_STORE = 'jpa';

/** The event stores of a realm. */
export interface RealmEventStores {
  /** The host's own store. */
  readonly own: boolean;
  /** A plugin's store. The plugin may be missing: then events wait for it. */
  readonly other: boolean;
}

const STORES = Symbol('event stores');

/** Determined by the realm's `providers`, once per realm version. */
export function eventStoresOf(realm: Realm): RealmEventStores {
  return realm.derive(STORES, ({ representation: { providers } }) => {
    const all = Object.entries(providers?.[EventStore.id] ?? {});
    return {
      own: all.every(([id, { enabled }]) => id !== BUILT_IN_STORE || enabled !== false),
      other: all.some(([id, { enabled }]) => id !== BUILT_IN_STORE && enabled === true),
    };
  });
}
