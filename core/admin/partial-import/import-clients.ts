import { isConfidential, newSecret, usableSecret } from '../../model/client-secrets.js';
import { MASK } from '../../model/mask.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import { forEachYielding } from '../yielding-loops.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

/** Clients that every realm has anyway. As in Keycloak, an import neither adds nor replaces them. */
const INTERNAL = ['account', 'account-console', 'admin-cli', 'broker', 'realm-management', 'security-admin-console'];

export function isInternalClient(realm: string, clientId: string): boolean {
  return INTERNAL.includes(clientId) || (realm === MASTER_REALM && clientId.endsWith('-realm'));
}

/**
 * An overwritten client is a new client with the same client ID. Sessions and service account of the old one are
 * removed.
 */
export async function importClients(
  draft: RealmRepresentation,
  effects: EditEffects,
  sent: readonly ClientRepresentation[],
  log: ImportLog,
): Promise<void> {
  const clients = new ImportList(draft.clients ?? [], { keyOf: ({ clientId }) => clientId, idsOf: ({ id }) => [id] });
  await forEachYielding(draft.realm, sent, (client) => {
    const { clientId } = client;
    if (isInternalClient(draft.realm, clientId)) return;
    const existing = clients.find(clientId);
    const action = log.decide(`Client id '${clientId}'`, existing !== undefined);
    if (action === 'SKIPPED') return log.record(action, 'CLIENT', clientId, existing?.id);
    if (existing?.id !== undefined) effects.removedClients.push(existing.id);
    const added = clients.replace(existing, () => ({ ...withSecret(client, existing), id: clients.freeId(client.id) }));
    log.record(action, 'CLIENT', clientId, added.id);
  });
  draft.clients = clients.all();
}

/** A masked value, such as a private key, means the stored value. Without a stored value it is dropped. */
function withoutMasks(
  sent: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const known = isSecretName(name) && value === MASK ? before[name] : value;
      return known === undefined ? [] : [[name, known]];
    }),
  );
}

/** A masked secret means the stored one. Otherwise a confidential client without a secret gets a new one. */
function withSecret(
  { registrationAccessToken: _, access: __, secret, ...client }: ClientRepresentation,
  existing: ClientRepresentation | undefined,
): ClientRepresentation {
  const known = usableSecret(secret) ?? (secret === undefined ? undefined : usableSecret(existing?.secret));
  if (client.attributes) client.attributes = withoutMasks(client.attributes, existing?.attributes);
  if (known !== undefined) return { ...(client as ClientRepresentation), secret: known };
  return { ...(client as ClientRepresentation), ...(isConfidential(client) ? { secret: newSecret() } : {}) };
}
