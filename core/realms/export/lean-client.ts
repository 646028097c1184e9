import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { withBuiltIns } from '../built-ins/built-ins.js';
import { withClientDefaults } from '../built-ins/new-client-defaults.js';
import { edits } from '../plan-realm.js';

/** What tells a client from others is always said. */
const SAID = ['clientId', 'name'];

/**
 * A client as a realm file needs to say it: what the file comes to without is left out, such as a default or the client
 * scopes that the realm gives every client.
 * @param shown the client without ids
 * @param realm the live realm
 */
export function leanClient(
  shown: ClientRepresentation,
  realm: RealmRepresentation,
  client: ClientRepresentation,
): ClientRepresentation {
  const { clientScopes, defaultDefaultClientScopes, defaultOptionalClientScopes } = realm;
  const live: RealmRepresentation = {
    ...{ realm: realm.realm, clients: [client] },
    ...{ clientScopes, defaultDefaultClientScopes, defaultOptionalClientScopes },
  };
  // The rest of the realm is made once, and is the same on both sides: what differs is the client.
  const rest = withBuiltIns(live, live);
  const now = { ...rest, clients: [client] };
  let lean = shown;
  const leaveOut = (less: ClientRepresentation) => {
    const ofFile = { ...rest, clients: [withClientDefaults(less, live)] };
    if (edits(ofFile, now).length === 0) lean = less;
  };
  for (const key of Object.keys(shown.attributes ?? {})) {
    leaveOut({ ...lean, attributes: without(lean.attributes ?? {}, key) });
  }
  // Who names scopes of one kind has none of the other.
  leaveOut(without(lean, 'defaultClientScopes', 'optionalClientScopes'));
  for (const key of Object.keys(lean)) if (!SAID.includes(key)) leaveOut(without(lean, key));
  return lean;
}

/** @param keys of members that may be absent */
function without<T extends object>(of: T, ...keys: readonly string[]): T {
  const less = { ...of };
  for (const key of keys) Reflect.deleteProperty(less, key);
  return less;
}
