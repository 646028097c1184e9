import { HostError, type Json, type StoredCredential } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import { retryOptions } from '../../model/retry-later.js';
import { withCredentialIds } from '../../users/credentials/credential-ids.js';
import type { CredentialWithId, RegisteredCredentialProvider } from '../../users/credentials/credential-types.js';
import { readValues, writeValues } from '../../users/credentials/credential-values.js';
import type { Users } from '../../users/users.js';
import { requireCredentialSize } from './credential-size.js';

/** How many times a verification is tried if concurrent logins change the credential. */
const MAX_ATTEMPTS = 5;

/** Thrown if a concurrent login has changed the credential. */
class ConcurrentChangeError extends Error {}

/**
 * Thrown if a plugin fails to check a credential, or if concurrent logins keep changing it. The attempt then counts
 * neither as successful nor as failed.
 */
export class CredentialsUnavailableError extends HostError {
  override readonly name = 'CredentialsUnavailable';

  constructor(cause: unknown) {
    const options = retryOptions(5, cause);
    super('temporarily_unavailable', 'Credentials cannot be checked at the moment. Try again later.', options);
  }
}

interface CredentialContext {
  readonly users: Users;
  readonly realm: Realm;
  readonly provider: RegisteredCredentialProvider;
  readonly userId: string;
}

/**
 * Returns the credential if the input is correct, and stores the changes that its provider returns. If two logins use
 * the same input at once, the second is checked against the state after the first.
 * @throws CredentialsUnavailableError if the provider fails, or if others change the credential during each attempt
 */
export async function verifyCredential(
  context: CredentialContext,
  id: string,
  input: Json,
): Promise<StoredCredential | undefined> {
  const { users, realm, provider, userId } = context;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const user = await users.byId(realm, userId);
    const stored = user && withCredentialIds(userId, user.credentials).find((candidate) => candidate.id === id);
    const credential = stored && readValues(stored as CredentialWithId);
    if (stored === undefined || credential === undefined) return undefined;
    const { valid, changed: changedValues } = await provider
      .call(async (methods) => {
        const proof = await methods.verify({ credential, input });
        requireCredentialSize(stored.type, 'verify', writeValues(proof.changed ?? {}));
        return proof;
      })
      .catch((cause: unknown) => {
        throw new CredentialsUnavailableError(cause);
      });
    const proven = valid ? credential : undefined;
    if (changedValues === undefined) return proven;
    if (await replaceIfUnchanged(context, stored, writeValues(changedValues)))
      return proven && { ...proven, ...changedValues };
  }
  throw new CredentialsUnavailableError('others keep changing the credential');
}

/**
 * Stores new values of the credential.
 * @returns false if a concurrent login has changed it
 */
async function replaceIfUnchanged(
  { users, realm, userId }: CredentialContext,
  previous: CredentialRepresentation,
  values: Partial<CredentialRepresentation>,
): Promise<boolean> {
  const isSame = (candidate: CredentialRepresentation) =>
    candidate.id === previous.id &&
    candidate.secretData === previous.secretData &&
    candidate.credentialData === previous.credentialData;
  try {
    const updatedUser = await users.change(realm, userId, (draft) => {
      const credentials = withCredentialIds(userId, draft.credentials ?? []);
      if (!credentials.some(isSame)) throw new ConcurrentChangeError();
      draft.credentials = credentials.map((credential) =>
        isSame(credential) ? { ...credential, ...values } : credential,
      );
    });
    return updatedUser !== undefined;
  } catch (error) {
    if (error instanceof ConcurrentChangeError) return false;
    throw error;
  }
}
