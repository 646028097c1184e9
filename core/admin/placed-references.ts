import { isDeepStrictEqual } from 'node:util';
import type { RealmRepresentation } from '../model/representation.js';
import { vaultKey } from '../model/vault-reference.js';
import { addressesOf } from './moved-secrets.js';

/*
 * A reference `${vault.KEY}` is as much as the secret: at an identity provider the host sends it to an address that an administrator
 * chooses, and at a client it is what callers guess. So a reference belongs to the place that it was made for.
 */

/** A reference at a place where the host resolves it. */
export interface PlacedReference {
  readonly reference: string;
  /** Addresses that get the secret, by their names. */
  readonly addresses: ReadonlyMap<string, string>;
  /** The place, for messages. */
  readonly name: string;
}

const NOWHERE: ReadonlyMap<string, string> = new Map();

/** The references of a realm to secrets of vaults, by their places. The settings of `smtpServer` are guarded as a whole. */
export function placedReferences(realm: RealmRepresentation): ReadonlyMap<string, PlacedReference> {
  const found = new Map<string, PlacedReference>();
  for (const { id, clientId, secret } of realm.clients ?? []) {
    if (typeof secret !== 'string' || vaultKey(secret) === undefined) continue;
    const name = `the secret of the client ${clientId}: it refers to a vault`;
    found.set(`client ${id ?? clientId}`, { reference: secret, addresses: NOWHERE, name });
  }
  for (const { alias, config = {} } of realm.identityProviders ?? []) {
    const { clientSecret } = config;
    if (vaultKey(clientSecret) === undefined) continue;
    const name = `clientSecret and addresses of the identity provider ${alias}: it refers to a vault`;
    found.set(`identity provider ${alias}`, { reference: clientSecret ?? '', addresses: addressesOf(config), name });
  }
  return found;
}

/** The name of a place that has another reference than before, or sends it to other addresses; undefined if there is none. */
export function changedReference(
  before: ReadonlyMap<string, PlacedReference>,
  after: ReadonlyMap<string, PlacedReference>,
): string | undefined {
  for (const [place, { reference, addresses, name }] of after) {
    const was = before.get(place);
    if (was?.reference !== reference || !isDeepStrictEqual(was.addresses, addresses)) return name;
  }
  return undefined;
}
