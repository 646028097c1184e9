import { EventStore } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';

/** The ID of the built-in store: the same as Keycloak's. */
export const BUILT_IN_STORE = 'jpa';

/** The event stores of a realm. */
export interface RealmEventStores {
  /** True if the realm uses the host's own store. */
  readonly hasBuiltIn: boolean;
  /** True if the realm uses a plugin's store. The plugin may be missing: then its events wait in the outbox. */
  readonly hasPluginStore: boolean;
}

const REALM_STORES = Symbol('event stores');

/** Returns the event stores that the realm's `providers` enable. The result is cached by realm version. */
export function eventStoresOf(realm: Realm): RealmEventStores {
  return realm.derive(REALM_STORES, ({ representation: { providers } }) => {
    const entries = Object.entries(providers?.[EventStore.id] ?? {});
    return {
      hasBuiltIn: entries.every(([id, { enabled }]) => id !== BUILT_IN_STORE || enabled !== false),
      hasPluginStore: entries.some(([id, { enabled }]) => id !== BUILT_IN_STORE && enabled === true),
    };
  });
}
