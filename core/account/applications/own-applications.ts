import type { Client } from '../../model/client.js';
import type { ConsentRepresentation } from '../../model/representation.js';
import { type Account, type AccountParts, emitAccountEvent } from '../account.js';
import { ownSessions } from '../devices/user-sessions.js';

/** An application that uses the account, or may use it. */
export interface OwnApplication {
  readonly client: Client;
  /** It takes part in a session. */
  readonly inUse: boolean;
  /** It has offline tokens. */
  readonly offlineAccess: boolean;
  /** The user's consent. */
  readonly consent: ConsentRepresentation | undefined;
}

/** Applications in the user's sessions, those with consent, and those that the realm always shows. */
export async function ownApplications(parts: AccountParts, account: Account): Promise<OwnApplication[]> {
  const { realm } = account.exchange;
  const sessions = await ownSessions(parts, account);
  const taking = (offline: boolean) =>
    new Set(sessions.filter(({ record }) => record.offline === offline).flatMap(({ clients }) => clients));
  const inUse = taking(false);
  const offline = taking(true);
  const consents = new Map(account.user.consents.map((consent) => [consent.clientId, consent]));
  return [...realm.clients.values()]
    .filter(({ enabled, bearerOnly }) => enabled && !bearerOnly)
    .map((client) => ({
      client,
      inUse: inUse.has(client),
      offlineAccess: offline.has(client),
      consent: consents.get(client.clientId),
    }))
    .filter(
      ({ client, consent, ...use }) =>
        use.inUse || use.offlineAccess || consent !== undefined || client.alwaysDisplayInConsole,
    );
}

/**
 * Revokes a client's access: the consent, its part in the user's sessions, and its offline tokens.
 * @returns false if it had none
 */
export async function revokeAccess(parts: AccountParts, account: Account, client: Client): Promise<boolean> {
  const { realm } = account.exchange;
  const isClients = ({ clientId }: ConsentRepresentation) => clientId === client.clientId;
  const agreed = account.user.consents.some(isClients);
  if (agreed) {
    await parts.users.change(realm, account.user.id, (draft) => {
      draft.clientConsents = (draft.clientConsents ?? []).filter((consent) => !isClients(consent));
    });
  }
  const ended = await parts.ending.endOfClient(realm, account.user.id, client);
  if (!agreed && !ended) return false;
  emitAccountEvent(parts, account, 'REVOKE_GRANT', { revoked_client: client.clientId });
  return true;
}
