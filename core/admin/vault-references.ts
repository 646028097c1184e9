import { isDeepStrictEqual } from 'node:util';
import type { RealmRepresentation } from '../model/representation.js';
import { vaultKey } from '../model/vault-reference.js';
import { addressesOf } from './secrets-for-new-address.js';

/*
 * A vault reference `${vault.KEY}` gives access to the secret. The host sends the secret to the address of an identity
 * provider, which an administrator chooses. Callers can try to guess the secret of a client. So a reference is valid
 * only at the position for which it was created.
 */

/** A reference that the host resolves, and its position. */
export interface VaultReference {
  readonly reference: string;
  /** Addresses to which the secret is sent, by member name. */
  readonly addresses: ReadonlyMap<string, string>;
  /** A description of the position, for messages. */
  readonly name: string;
}

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** A realm's vault references by position. `smtpServer` is left out, because it is guarded as a whole. */
export function vaultReferences(realm: RealmRepresentation): ReadonlyMap<string, VaultReference> {
  const references = new Map<string, VaultReference>();
  for (const { id, clientId, secret } of realm.clients ?? []) {
    if (typeof secret !== 'string' || vaultKey(secret) === undefined) continue;
    const name = `the secret of the client ${clientId}: it refers to a vault`;
    references.set(`client ${id ?? clientId}`, { reference: secret, addresses: NO_ADDRESSES, name });
  }
  for (const { alias, config = {} } of realm.identityProviders ?? []) {
    const { clientSecret } = config;
    if (vaultKey(clientSecret) === undefined) continue;
    const name = `clientSecret and addresses of the identity provider ${alias}: it refers to a vault`;
    references.set(`identity provider ${alias}`, {
      reference: clientSecret ?? '',
      addresses: addressesOf(config),
      name,
    });
  }
  return references;
}

/**
 * Returns the description of a position with a new reference, or with changed addresses; undefined if there is none.
 */
export function changedVaultReference(
  before: ReadonlyMap<string, VaultReference>,
  after: ReadonlyMap<string, VaultReference>,
): string | undefined {
  for (const [position, { reference, addresses, name }] of after) {
    const previousReference = before.get(position);
    if (previousReference?.reference !== reference || !isDeepStrictEqual(previousReference.addresses, addresses))
      return name;
  }
  return undefined;
}
