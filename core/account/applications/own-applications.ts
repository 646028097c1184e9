import type { Client } from '../../model/client.js';
import type { ConsentRepresentation } from '../../model/representation.js';
import { type AccountContext, type AccountParts, emitAccountEvent } from '../account.js';
import { listSessions } from '../devices/user-sessions.js';

/** An application that uses the account, or may use it. */
export interface OwnApplication {
  readonly client: Client;
  /** True if it takes part in a session of the user. */
  readonly inUse: boolean;
  /** True if it has offline tokens. */
  readonly offlineAccess: boolean;
  /** The user's consent, if any. */
  readonly consent: ConsentRepresentation | undefined;
}

/** Lists applications that take part in the user's sessions, have consent, or are always shown by the realm. */
export async function listApplications(parts: AccountParts, account: AccountContext): Promise<OwnApplication[]> {
  const { realm } = account.exchange;
  const sessions = await listSessions(parts, account);
  const clientsInSessions = (offlineClients: boolean) =>
    new Set(sessions.filter(({ record }) => record.offline === offlineClients).flatMap(({ clients }) => clients));
  const inUse = clientsInSessions(false);
  const offlineClients = clientsInSessions(true);
  const consents = new Map(account.user.consents.map((consent) => [consent.clientId, consent]));
  return [...realm.clients.values()]
    .filter(({ enabled, bearerOnly }) => enabled && !bearerOnly)
    .map((client) => ({
      client,
      inUse: inUse.has(client),
      offlineAccess: offlineClients.has(client),
      consent: consents.get(client.clientId),
    }))
    .filter(
      ({ client, consent, ...use }) =>
        use.inUse || use.offlineAccess || consent !== undefined || client.alwaysDisplayInConsole,
    );
}

/**
 * Revokes a client's access: the consent, the client's sessions with the user, and its offline tokens.
 * @returns false if it had none
 */
export async function revokeAccess(parts: AccountParts, account: AccountContext, client: Client): Promise<boolean> {
  const { realm } = account.exchange;
  const isClients = ({ clientId }: ConsentRepresentation) => clientId === client.clientId;
  const hasConsent = account.user.consents.some(isClients);
  if (hasConsent) {
    await parts.users.change(realm, account.user.id, (draft) => {
      draft.clientConsents = (draft.clientConsents ?? []).filter((consent) => !isClients(consent));
    });
  }
  const hasEnded = await parts.sessionEnder.removeClient(realm, account.user.id, client);
  if (!hasConsent && !hasEnded) return false;
  emitAccountEvent(parts, account, 'REVOKE_GRANT', { revoked_client: client.clientId });
  return true;
}
