import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { withBuiltIns } from '../built-ins/built-ins.js';
import { withClientDefaults } from '../built-ins/new-client-defaults.js';
import { findEdits } from '../plan-realm.js';

/** Identifying members are always written. */
const ALWAYS_WRITTEN = ['clientId', 'name'];

/**
 * Returns the shortest representation of a client for a realm file. Members that the file gets anyway are left out,
 * such as a default or the client scopes that the realm gives every client.
 * @param shown the client without IDs
 * @param realm the live realm
 */
export function minimalClient(
  shown: ClientRepresentation,
  realm: RealmRepresentation,
  client: ClientRepresentation,
): ClientRepresentation {
  const { clientScopes, defaultDefaultClientScopes, defaultOptionalClientScopes } = realm;
  const live: RealmRepresentation = {
    realm: realm.realm,
    clients: [client],
    clientScopes,
    defaultDefaultClientScopes,
    defaultOptionalClientScopes,
  };
  // The rest of the realm is made once, and is the same on both sides: what differs is the client.
  const builtInRealm = withBuiltIns(live, live);
  const now = { ...builtInRealm, clients: [client] };
  let lean = shown;
  const leaveOut = (less: ClientRepresentation) => {
    const fileRealm = { ...builtInRealm, clients: [withClientDefaults(less, live)] };
    if (findEdits(fileRealm, now).length === 0) lean = less;
  };
  for (const key of Object.keys(shown.attributes ?? {})) {
    leaveOut({ ...lean, attributes: without(lean.attributes ?? {}, key) });
  }
  // A client that names only default or only optional scopes has none of the other sort.
  leaveOut(without(lean, 'defaultClientScopes', 'optionalClientScopes'));
  for (const key of Object.keys(lean)) if (!ALWAYS_WRITTEN.includes(key)) leaveOut(without(lean, key));
  return lean;
}

/** @param keys the keys of optional members */
function without<T extends object>(object: T, ...keys: readonly string[]): T {
  const less = { ...object };
  for (const key of keys) Reflect.deleteProperty(less, key);
  return less;
}
