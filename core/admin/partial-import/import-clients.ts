import { isConfidential, newSecret, usableSecret } from '../../model/client-secrets.js';
import { MASK } from '../../model/mask.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import { forEachYielding } from '../yielding-loops.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

/** Clients that every realm has. As in Keycloak, an import neither adds nor replaces them. */
const INTERNAL_CLIENTS = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

export function isInternalClient(realm: string, clientId: string): boolean {
  return INTERNAL_CLIENTS.includes(clientId) || (realm === MASTER_REALM && clientId.endsWith('-realm'));
}

/**
 * Imports clients. An overwritten client is a new client with the same client ID. Sessions and service account of the
 * old one are removed.
 */
export async function importClients(
  draft: RealmRepresentation,
  effects: EditEffects,
  importedClients: readonly ClientRepresentation[],
  log: ImportLog,
): Promise<void> {
  const clients = new ImportList(draft.clients ?? [], { keyOf: ({ clientId }) => clientId, idsOf: ({ id }) => [id] });
  await forEachYielding(draft.realm, importedClients, (client) => {
    const { clientId } = client;
    if (isInternalClient(draft.realm, clientId)) return;
    const existingClient = clients.find(clientId);
    const action = log.decide(`Client id '${clientId}'`, existingClient !== undefined);
    if (action === 'SKIPPED') return log.record(action, 'CLIENT', clientId, existingClient?.id);
    if (existingClient?.id !== undefined) effects.removedClients.push(existingClient.id);
    const addedClient = clients.replace(existingClient, () => ({
      ...withSecret(client, existingClient),
      id: clients.freeId(client.id),
    }));
    log.record(action, 'CLIENT', clientId, addedClient.id);
  });
  draft.clients = clients.items();
}

/** Replaces masked values, such as a private key, by the stored ones. Without a stored value, they are removed. */
function resolveMasks(
  attributes: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const resolved = isSecretName(name) && value === MASK ? before[name] : value;
      return resolved === undefined ? [] : [[name, resolved]];
    }),
  );
}

/** Adds the secret. A masked secret means the stored one. A confidential client without a secret gets a new one. */
function withSecret(
  { registrationAccessToken: _, access: __, secret, ...client }: ClientRepresentation,
  existingClient: ClientRepresentation | undefined,
): ClientRepresentation {
  const usable = usableSecret(secret) ?? (secret === undefined ? undefined : usableSecret(existingClient?.secret));
  if (client.attributes) client.attributes = resolveMasks(client.attributes, existingClient?.attributes);
  if (usable !== undefined) return { ...(client as ClientRepresentation), secret: usable };
  return { ...(client as ClientRepresentation), ...(isConfidential(client) ? { secret: newSecret() } : {}) };
}
