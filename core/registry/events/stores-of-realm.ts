import { EventStore } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';

/** The built-in store, by Keycloak's ID. */
export const OWN_STORE = 'jpa';

/** The event stores of a realm. */
export interface StoresOfRealm {
  /** The host's own store. */
  readonly own: boolean;
  /** A plugin's store. The plugin may be missing: then events wait for it. */
  readonly other: boolean;
}

const STORES = Symbol('event stores');

/** Determined by the realm's `providers`, once per realm version. */
export function storesOf(realm: Realm): StoresOfRealm {
  return realm.derive(STORES, ({ representation: { providers } }) => {
    const all = Object.entries(providers?.[EventStore.id] ?? {});
    return {
      own: all.every(([id, { enabled }]) => id !== OWN_STORE || enabled !== false),
      other: all.some(([id, { enabled }]) => id !== OWN_STORE && enabled === true),
    };
  });
}
