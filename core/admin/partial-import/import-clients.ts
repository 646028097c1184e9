import { randomBytes, randomUUID } from 'node:crypto';
import { MASTER_REALM } from '../../model/realm.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import { MASK } from '../mask-representation.js';
import { freeId, type ImportLog } from './import-log.js';

/** Clients that every realm has by itself: an import neither adds nor replaces them, as in Keycloak. */
const INTERNAL = ['account', 'account-console', 'admin-cli', 'broker', 'realm-management', 'security-admin-console'];

export function isInternalClient(realm: string, clientId: string): boolean {
  return INTERNAL.includes(clientId) || (realm === MASTER_REALM && clientId.endsWith('-realm'));
}

/** An overwritten client is another one with the same clientId: its sessions and its service account are gone. */
export function importClients(
  draft: RealmRepresentation,
  effects: EditEffects,
  sent: readonly ClientRepresentation[],
  log: ImportLog,
): void {
  const clients = [...(draft.clients ?? [])];
  for (const client of sent) {
    const { clientId } = client;
    if (isInternalClient(draft.realm, clientId)) continue;
    const existing = clients.find((one) => one.clientId === clientId);
    const action = log.decide(`Client id '${clientId}'`, existing !== undefined);
    if (action === 'SKIPPED') {
      log.note(action, 'CLIENT', clientId, existing?.id);
      continue;
    }
    const others = clients.filter((one) => one !== existing);
    const id = freeId(
      client.id,
      others.map((one) => one.id),
      randomUUID,
    );
    if (existing?.id !== undefined) effects.removedClients.push(existing.id);
    clients.splice(0, clients.length, ...others, { ...withSecret(client, existing), id });
    log.note(action, 'CLIENT', clientId, id);
  }
  draft.clients = clients;
}

/** A client that was exported masked keeps the secret that is there; else a confidential client gets a new one. */
function withSecret(
  { registrationAccessToken: _, access: __, secret, ...client }: ClientRepresentation,
  existing: ClientRepresentation | undefined,
): ClientRepresentation {
  const known = secret === MASK || secret === '' ? existing?.secret : secret;
  if (known !== undefined) return { ...(client as ClientRepresentation), secret: known };
  const isConfidential = client.publicClient !== true && client.bearerOnly !== true;
  return {
    ...(client as ClientRepresentation),
    ...(isConfidential ? { secret: randomBytes(24).toString('base64url') } : {}),
  };
}
