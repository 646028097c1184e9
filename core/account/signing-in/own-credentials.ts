import { HostError } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';
import { identifiedCredentials } from '../../users/credentials/credential-list.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
import { type Account, type AccountParts, emitAccountEventWithChange } from '../account.js';

export const LABEL_LIMIT = 255;

/** Why a credential cannot be changed; the message is the key of a text. */
export class CredentialChangeRefused extends HostError {
  override readonly name = 'CredentialRefused';
  readonly key: 'labelTooLong' | 'labelTaken' | 'credentialLastWay';
  readonly body: { readonly errorMessage: string };

  constructor(key: CredentialChangeRefused['key']) {
    super('credential_refused', key, { status: 400, expose: true });
    this.key = key;
    this.body = { errorMessage: key };
  }
}

/** @returns false if the user does not have the credential. @throws CredentialChangeRefused */
export async function renameCredential(
  parts: AccountParts,
  account: Account,
  id: string,
  label: string,
): Promise<boolean> {
  if (label.length > LABEL_LIMIT) throw new CredentialChangeRefused('labelTooLong');
  const before = await changeCredentials(parts, account, id, (list, found) => {
    const sameType = list.filter((other) => other !== found && other.type === found.type);
    if (label !== '' && sameType.some(({ userLabel }) => userLabel === label))
      throw new CredentialChangeRefused('labelTaken');
    return list.map((one) => (one === found ? { ...one, userLabel: label } : one));
  });
  return before !== undefined;
}

/**
 * Removes a credential. The caller must check that the login is recent.
 * @returns the credential; undefined if the user does not have it
 * @throws CredentialChangeRefused for the last way to sign in
 */
export async function removeCredential(
  parts: AccountParts,
  account: Account,
  id: string,
): Promise<CredentialRepresentation | undefined> {
  const { realm } = account.exchange;
  let going: CredentialRepresentation | undefined;
  const details = () => going && { credential_type: going.type, credential_user_label: going.userLabel ?? '' };
  const remove = () =>
    changeCredentials(parts, account, id, (list, found) => {
      const user = { ...account.user.representation, credentials: [...list] };
      if (!isRemovable(parts.types, realm, user, found)) throw new CredentialChangeRefused('credentialLastWay');
      going = found;
      return list.filter((one) => one !== found);
    });
  return emitAccountEventWithChange(parts, account, 'REMOVE_CREDENTIAL', details, () =>
    // Keycloak still emits this event for older listeners.
    emitAccountEventWithChange(
      parts,
      account,
      'REMOVE_TOTP',
      () => (going?.type === 'otp' ? details() : undefined),
      remove,
    ),
  );
}

/** @returns the credential before the change; undefined if the user has none with this ID */
async function changeCredentials(
  { users, types }: AccountParts,
  { exchange: { realm }, user }: Account,
  id: string,
  change: (list: readonly CredentialRepresentation[], found: CredentialRepresentation) => CredentialRepresentation[],
): Promise<CredentialRepresentation | undefined> {
  let before: CredentialRepresentation | undefined;
  await users.change(realm, user.id, (draft) => {
    const list = identifiedCredentials(user.id, draft.credentials ?? []);
    before = list.find((credential) => credential.id === id && types.of(realm, credential.type) !== undefined);
    if (before !== undefined) draft.credentials = change(list, before);
  });
  return before;
}
