import { HostError } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';
import { withCredentialIds } from '../../users/credentials/credential-ids.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
import { type AccountContext, type AccountParts, emitAccountEventWithChange } from '../account.js';

export const MAX_LABEL_LENGTH = 255;

/** Thrown if a credential cannot be changed; the message is the key of a text. */
export class CredentialChangeError extends HostError {
  override readonly name = 'CredentialChangeError';
  readonly key: 'labelTooLong' | 'labelTaken' | 'credentialLastWay';
  readonly body: { readonly errorMessage: string };

  constructor(key: CredentialChangeError['key']) {
    super('credential_refused', key, { status: 400, expose: true });
    this.key = key;
    this.body = { errorMessage: key };
  }
}

/**
 * Changes the user's label of a credential.
 * @returns false if the user does not have the credential
 * @throws CredentialChangeError
 */
export async function renameCredential(
  parts: AccountParts,
  account: AccountContext,
  id: string,
  label: string,
): Promise<boolean> {
  if (label.length > MAX_LABEL_LENGTH) throw new CredentialChangeError('labelTooLong');
  const previous = await changeCredentials(parts, account, id, (credentials, target) => {
    const sameType = credentials.filter((credential) => credential !== target && credential.type === target.type);
    if (label !== '' && sameType.some(({ userLabel }) => userLabel === label))
      throw new CredentialChangeError('labelTaken');
    return credentials.map((credential) => (credential === target ? { ...credential, userLabel: label } : credential));
  });
  return previous !== undefined;
}

/**
 * Removes a credential. The caller must check that the login is recent.
 * @returns the credential; undefined if the user does not have it
 * @throws CredentialChangeError if the type cannot be removed or the credential is the last way to sign in
 */
export async function removeCredential(
  parts: AccountParts,
  account: AccountContext,
  id: string,
): Promise<CredentialRepresentation | undefined> {
  const { realm } = account.exchange;
  let removed: CredentialRepresentation | undefined;
  const details = () => removed && { credential_type: removed.type, credential_user_label: removed.userLabel ?? '' };
  const remove = () =>
    changeCredentials(parts, account, id, (credentials, target) => {
      const user = { ...account.user.representation, credentials: [...credentials] };
      if (!isRemovable(parts.credentialTypes, realm, user, target))
        throw new CredentialChangeError('credentialLastWay');
      removed = target;
      return credentials.filter((credential) => credential !== target);
    });
  return emitAccountEventWithChange(parts, account, 'REMOVE_CREDENTIAL', details, () =>
    // Keycloak still emits this event for older listeners.
    emitAccountEventWithChange(
      parts,
      account,
      'REMOVE_TOTP',
      () => (removed?.type === 'otp' ? details() : undefined),
      remove,
    ),
  );
}

/**
 * Changes the user's credentials, if one of them has this ID.
 * @returns the credential before the change; undefined if none has this ID
 */
async function changeCredentials(
  { users, credentialTypes: types }: AccountParts,
  { exchange: { realm }, user }: AccountContext,
  id: string,
  change: (list: readonly CredentialRepresentation[], target: CredentialRepresentation) => CredentialRepresentation[],
): Promise<CredentialRepresentation | undefined> {
  let previous: CredentialRepresentation | undefined;
  await users.change(realm, user.id, (draft) => {
    const credentials = withCredentialIds(user.id, draft.credentials ?? []);
    previous = credentials.find((credential) => credential.id === id && types.of(realm, credential.type) !== undefined);
    if (previous !== undefined) draft.credentials = change(credentials, previous);
  });
  return previous;
}
