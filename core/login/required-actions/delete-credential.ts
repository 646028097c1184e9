import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import type { Events } from '../../registry/events/events.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { identifiedCredentials } from '../../users/credentials/credential-list.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
import type { Users } from '../../users/users.js';

/** Error in the event if the credential may not be removed: a password, or the user's last way to sign in. */
const FAILED = 'delete_credential_failed';

/**
 * Keycloak's delete_credential: an application names a credential by `kc_action=delete_credential:ID`. Credentials that
 * the account page does not remove are not removed here either.
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
          identifiedCredentials(userId, credentials).find(
            (one) => types.of(realm, one.type) !== undefined && one.id === id,
          );
        const found = async (userId: string, id: string | undefined) => {
          const user = id === undefined ? undefined : await users.byId(realm, userId);
          return user && credentialOf(user.representation, userId, id);
        };
        const mayGo = async (userId: string, credential: CredentialRepresentation) => {
          const user = await users.byId(realm, userId);
          return user !== undefined && isRemovable(types, realm, user.representation, credential);
        };
        return {
          async challenge({ user, initiated, parameter }): Promise<RequiredActionStep> {
            if (parameter === undefined) return { outcome: 'ignored', error: 'missing_credential_id' };
            const credential = await found(user.id, parameter);
            if (credential === undefined) return { outcome: 'ignored', error: 'credential_not_found' };
            return (await mayGo(user.id, credential))
              ? ask(credential, initiated)
              : { outcome: 'ignored', error: FAILED };
          },
          async action({ user, client, parameter }): Promise<RequiredActionStep> {
            let gone: CredentialRepresentation | undefined;
            let isKept = false;
            await users.change(realm, user.id, (draft) => {
              const list = identifiedCredentials(user.id, draft.credentials ?? []);
              gone = credentialOf(draft, user.id, parameter);
              isKept = gone !== undefined && !isRemovable(types, realm, { ...draft, credentials: list }, gone);
              if (gone !== undefined && !isKept) draft.credentials = list.filter(({ id }) => id !== gone?.id);
            });
            if (gone === undefined) return { outcome: 'ignored', error: 'credential_not_found' };
            if (isKept) return { outcome: 'ignored', error: FAILED };
            const details = {
              credential_type: gone.type,
              credential_id: gone.id ?? '',
              credential_user_label: gone.userLabel ?? '',
            };
            if (gone.type === 'otp') {
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

function ask({ type, userLabel }: CredentialRepresentation, initiated: boolean): RequiredActionStep {
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
