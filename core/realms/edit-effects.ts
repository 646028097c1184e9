import type { UserRepresentation } from '../model/representation.js';
import type { KeyRecord, KeyState, NameChange } from '../store/store.js';

/** Renames and removals that also change users and sessions. */
export interface NameEffects {
  readonly names: NameChange[];
  /** Internal IDs of removed clients. */
  readonly removedClients: string[];
  /** Internal IDs of clients that lose their service account. */
  readonly removedServiceAccounts: string[];
}

/** The effects of an edit on keys, users and sessions. They are written in the same transaction as the realm. */
export interface EditEffects extends NameEffects {
  /** New keys, as `KeyRing.records` returns them. */
  readonly keys: KeyRecord[];
  readonly keyStates: KeyState[];
  /** Kids of removed keys. */
  readonly removedKeys: string[];
  /** New users. If one of them cannot be created, the edit is repeated. */
  readonly newUsers: UserRepresentation[];
  /** IDs of users that are removed before the new ones are created. */
  readonly removedUsers: string[];
}

/** Returns the effects of an edit that changes only the realm. */
export function noEffects(): EditEffects {
  return {
    names: [],
    removedClients: [],
    removedServiceAccounts: [],
    keys: [],
    keyStates: [],
    removedKeys: [],
    newUsers: [],
    removedUsers: [],
  };
}
