import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { withBuiltIns } from '../built-ins/built-ins.js';
import { edits } from '../plan-realm.js';

type Lean = Readonly<Record<string, unknown>>;

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
  const comesTo = (lean: Lean) => {
    const ofFile = withBuiltIns({ ...live, clients: [lean as unknown as ClientRepresentation] }, live);
    return edits(ofFile, live).every(({ path: [list, name] }) => list !== 'clients' || name !== client.clientId);
  };
  let lean: Lean = { ...shown };
  const leaveOut = (without: Lean) => {
    if (comesTo(without)) lean = without;
  };
  for (const key of Object.keys(shown.attributes ?? {})) {
    leaveOut({ ...lean, attributes: without(lean.attributes as Lean, key) });
  }
  // Who names scopes of one kind has none of the other.
  leaveOut(without(lean, 'defaultClientScopes', 'optionalClientScopes'));
  for (const key of Object.keys(lean)) if (!SAID.includes(key)) leaveOut(without(lean, key));
  return lean as unknown as ClientRepresentation;
}

function without(of: Lean, ...keys: readonly string[]): Lean {
  return Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key)));
}
