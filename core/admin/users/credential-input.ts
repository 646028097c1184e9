import { randomUUID } from 'node:crypto';
import { isMasked } from '../../config/realm-file/masked-secrets.js';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import { credentialMistake } from '../../realms/realm-file-checks.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { isReadable } from '../../users/credentials/credential-values.js';
import { preparePasswordChange } from '../../users/passwords/password-change.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import { badRequest } from '../admin.js';
import type { CredentialInput } from './user-input.js';

export interface PasswordParts {
  readonly passwords: Passwords;
  readonly types: CredentialTypes;
  readonly clock: Clock;
}

/** Adds credentials to a user. A temporary password also requires the user to change it. */
export type ApplyCredentials = (draft: UserRepresentation) => void;

/**
 * Validates and hashes credentials before anything is changed.
 * @param owner the user who gets them
 * @throws PasswordRefused; AdminError 400
 */
export async function prepareCredentials(
  parts: PasswordParts,
  realm: Realm,
  owner: UserRepresentation,
  inputs: readonly CredentialInput[],
): Promise<ApplyCredentials> {
  const changes: ApplyCredentials[] = [];
  for (const credential of inputs) {
    if (typeof credential.value === 'string' && (credential.type ?? 'password') === 'password') {
      changes.push(await preparePassword(parts, realm, owner, credential.value, credential.temporary === true));
    } else {
      const hashed = toHashedCredential(parts, realm, credential);
      await parts.passwords.recordFormats(realm, [hashed]);
      changes.push((draft) => {
        const isUnique = parts.types.of(realm, hashed.type)?.single === true;
        const otherCredentials = (draft.credentials ?? []).filter(({ type }) => type !== hashed.type || !isUnique);
        draft.credentials = [...otherCredentials, hashed];
        draft.linksNotBefore = parts.clock.now();
      });
    }
  }
  return (draft) => {
    for (const change of changes) change(draft);
  };
}

/**
 * Validates and hashes a plain password.
 * @throws PasswordRefused; AdminError 400
 */
export async function preparePassword(
  parts: PasswordParts,
  realm: Realm,
  owner: UserRepresentation,
  password: string,
  isTemporary: boolean,
): Promise<ApplyCredentials> {
  const change = await preparePasswordChange(parts, realm, owner, password);
  return (draft) => {
    change(draft);
    const actions = (draft.requiredActions ?? []).filter((action) => action !== 'UPDATE_PASSWORD');
    draft.requiredActions = isTemporary ? [...actions, 'UPDATE_PASSWORD'] : actions;
  };
}

/** Validates a credential that Keycloak or another Keyhost hashed. */
function toHashedCredential(
  { passwords, types, clock }: PasswordParts,
  realm: Realm,
  input: CredentialInput,
): CredentialRepresentation {
  const { type, secretData, credentialData, userLabel, createdDate } = input;
  const isReadableHash = secretData && credentialData && isReadable({ secretData, credentialData });
  if (!type || types.of(realm, type) === undefined || !isReadableHash) {
    throw badRequest(
      'credentials: a credential is a password with "value", or has "secretData" and "credentialData" (JSON texts) and is' +
        ` one of ${types
          .all(realm)
          .map((credentialType) => credentialType.type)
          .join(', ')}`,
    );
  }
  const credential = {
    id: randomUUID(),
    type,
    secretData,
    credentialData,
    createdDate: createdDate ?? clock.now(),
    ...(userLabel ? { userLabel } : {}),
  };
  const problem = isMasked(credential)
    ? 'is masked: send the secret itself'
    : credentialMistake(credential, { providers: passwords.algorithms(realm) });
  if (problem !== undefined) throw badRequest(`credentials: ${problem}`);
  return credential;
}
