import { EventStore } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';

/** The built-in store, by Keycloak's ID. */
export const OWN_STORE = 'jpa';

/** Where the events of a realm are kept. */
export interface StoresOfRealm {
  /** Here. */
  readonly own: boolean;
  /** In the store of a plugin, whether or not a plugin has it: events wait for it. */
  readonly other: boolean;
}

const STORES = Symbol('event stores');

/** By the realm's `providers`, once per realm version. */
export function storesOf(realm: Realm): StoresOfRealm {
  return realm.derive(STORES, ({ representation: { providers } }) => {
    const all = Object.entries(providers?.[EventStore.id] ?? {});
    return {
      own: all.every(([id, { enabled }]) => id !== OWN_STORE || enabled !== false),
      other: all.some(([id, { enabled }]) => id !== OWN_STORE && enabled === true),
    };
  });
}
