import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import type { Events } from '../../registry/events/events.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { withCredentialIds } from '../../users/credentials/credential-ids.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
import type { Users } from '../../users/users.js';

/** The event's error if the credential must not be removed: a password, or the user's last way to sign in. */
const NOT_REMOVABLE_ERROR = 'delete_credential_failed';

/**
 * Keycloak's delete_credential: an application requests the removal of a credential by
 * `kc_action=delete_credential:ID`. It does not remove credentials that the account page would not remove.
 */
export function deleteCredential({
  users,
  events,
  sessions,
  types,
}: {
  users: Users;
  events: Events;
  sessions: SessionFactory;
  types: CredentialTypes;
}): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'delete_credential',
    displayText: 'Delete Credential',
    eventType: 'REMOVE_CREDENTIAL',
    initiable: true,
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const credentialOf = (
          { credentials = [] }: Pick<UserRepresentation, 'credentials'>,
          userId: string,
          id: string | undefined,
        ): CredentialRepresentation | undefined =>
          withCredentialIds(userId, credentials).find(
            (credential) => types.of(realm, credential.type) !== undefined && credential.id === id,
          );
        const findCredential = async (userId: string, id: string | undefined) => {
          const user = id === undefined ? undefined : await users.byId(realm, userId);
          return user && credentialOf(user.representation, userId, id);
        };
        const mayRemove = async (userId: string, credential: CredentialRepresentation) => {
          const user = await users.byId(realm, userId);
          return user !== undefined && isRemovable(types, realm, user.representation, credential);
        };
        return {
          async challenge({ user, initiated, parameter }): Promise<RequiredActionStep> {
            if (parameter === undefined) return { outcome: 'ignored', error: 'missing_credential_id' };
            const credential = await findCredential(user.id, parameter);
            if (credential === undefined) return { outcome: 'ignored', error: 'credential_not_found' };
            return (await mayRemove(user.id, credential))
              ? confirmationPage(credential, initiated)
              : { outcome: 'ignored', error: NOT_REMOVABLE_ERROR };
          },
          async action({ user, client, parameter }): Promise<RequiredActionStep> {
            let removed: CredentialRepresentation | undefined;
            let isRefused = false;
            await users.change(realm, user.id, (draft) => {
              const credentials = withCredentialIds(user.id, draft.credentials ?? []);
              removed = credentialOf(draft, user.id, parameter);
              isRefused = removed !== undefined && !isRemovable(types, realm, { ...draft, credentials }, removed);
              if (removed !== undefined && !isRefused)
                draft.credentials = credentials.filter(({ id }) => id !== removed?.id);
            });
            if (removed === undefined) return { outcome: 'ignored', error: 'credential_not_found' };
            if (isRefused) return { outcome: 'ignored', error: NOT_REMOVABLE_ERROR };
            const details = {
              credential_type: removed.type,
              credential_id: removed.id ?? '',
              credential_user_label: removed.userLabel ?? '',
            };
            if (removed.type === 'otp') {
              // Keycloak still emits this event for older listeners.
              const { ip: ipAddress } = session.caller;
              const event = { type: 'REMOVE_TOTP', clientId: client.clientId, userId: user.id, ipAddress, details };
              events.emit(realm, event, () => sessions.create(realm, session.caller, 'keyhost'));
            }
            return { outcome: 'success', details };
          },
        };
      },
    }),
  });
}

function confirmationPage({ type, userLabel }: CredentialRepresentation, initiated: boolean): RequiredActionStep {
  const params = [userLabel || type];
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'deleteCredentialTitle', params },
      text: { key: 'deleteCredentialMessage', params },
      fields: [],
      submit: { key: 'doDeleteCredential' },
      ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
    },
  };
}
