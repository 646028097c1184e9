import { HostError, type Json, type StoredCredential } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import { retryOptions } from '../../model/retry-later.js';
import { identifiedCredentials } from '../../users/credentials/credential-list.js';
import type { RegisteredCredentialProvider, OwnedCredential } from '../../users/credentials/credential-types.js';
import { readValues, writeValues } from '../../users/credentials/credential-values.js';
import type { Users } from '../../users/users.js';
import { requireSmall } from './credential-size.js';

/** How many times a credential is tried if other logins keep changing it. */
const ATTEMPTS = 5;

/** Another login has changed the credential meanwhile. */
class ConcurrentChange extends Error {}

/** A plugin cannot check a credential: the answer neither counts as right nor as a failed attempt. */
export class CredentialsUnavailable extends HostError {
  override readonly name = 'CredentialsUnavailable';

  constructor(cause: unknown) {
    const options = retryOptions(5, cause);
    super('temporarily_unavailable', 'Credentials cannot be checked at the moment. Try again later.', options);
  }
}

interface Owner {
  readonly users: Users;
  readonly realm: Realm;
  readonly provider: RegisteredCredentialProvider;
  readonly userId: string;
}

/**
 * Returns the credential if the input is right for it, and stores what its provider changes. If two logins use the same
 * input at once, the second is checked against the state that the first has left.
 * @throws CredentialsUnavailable if the provider fails
 */
export async function verifyCredential(owner: Owner, id: string, input: Json): Promise<StoredCredential | undefined> {
  const { users, realm, provider, userId } = owner;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const user = await users.byId(realm, userId);
    const stored = user && identifiedCredentials(userId, user.credentials).find((one) => one.id === id);
    const credential = stored && readValues(stored as OwnedCredential);
    if (stored === undefined || credential === undefined) return undefined;
    const { valid, changed } = await provider
      .call(async (methods) => {
        const proof = await methods.verify({ credential, input });
        requireSmall(stored.type, 'verify', writeValues(proof.changed ?? {}));
        return proof;
      })
      .catch((cause: unknown) => {
        throw new CredentialsUnavailable(cause);
      });
    const proven = valid ? credential : undefined;
    if (changed === undefined) return proven;
    if (await replaced(owner, stored, writeValues(changed))) return proven && { ...proven, ...changed };
  }
  throw new CredentialsUnavailable('others keep changing the credential');
}

/** @returns false if the credential has changed meanwhile */
async function replaced(
  { users, realm, userId }: Owner,
  before: CredentialRepresentation,
  values: Partial<CredentialRepresentation>,
): Promise<boolean> {
  const isSame = (one: CredentialRepresentation) =>
    one.id === before.id && one.secretData === before.secretData && one.credentialData === before.credentialData;
  try {
    const changed = await users.change(realm, userId, (draft) => {
      const list = identifiedCredentials(userId, draft.credentials ?? []);
      if (!list.some(isSame)) throw new ConcurrentChange();
      draft.credentials = list.map((one) => (isSame(one) ? { ...one, ...values } : one));
    });
    return changed !== undefined;
  } catch (error) {
    if (error instanceof ConcurrentChange) return false;
    throw error;
  }
}
