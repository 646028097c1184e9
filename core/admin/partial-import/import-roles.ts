import { defined } from '../../model/defined.js';
import type { RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import { forEachYielding } from '../yielding-loops.js';
import { isInternalClient } from './import-clients.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

/** An imported role. */
export interface ImportedRole {
  readonly clientId: string | undefined;
  readonly name: string;
}

/** Imports roles. Users keep overwritten roles, since these are referred to by name. */
export async function importRoles(
  draft: RealmRepresentation,
  sent: RealmRepresentation['roles'],
  log: ImportLog,
): Promise<ImportedRole[]> {
  const imported: ImportedRole[] = [];
  const { realm: ofRealm = [], client: ofClients = {} } = draft.roles ?? {};
  const parts = { keyOf: ({ name }: RoleRepresentation) => name, idsOf: ({ id }: RoleRepresentation) => [id] };
  const ids = new Set<string>();
  const realmRoles = new ImportList(ofRealm, { ...parts, ids });
  const clientRoles = new Map(
    Object.entries(ofClients).map(([clientId, roles]) => [clientId, new ImportList(roles, { ...parts, ids })]),
  );
  const take = (roles: ImportList<RoleRepresentation>, role: RoleRepresentation, clientId: string | undefined) => {
    const [what, type, shown] =
      clientId === undefined
        ? ([`Realm role '${role.name}'`, 'REALM_ROLE', role.name] as const)
        : ([
            `Client role '${role.name}' for client '${clientId}'`,
            'CLIENT_ROLE',
            `${clientId}-->${role.name}`,
          ] as const);
    const existing = roles.find(role.name);
    const action = log.decide(what, existing !== undefined);
    if (action === 'SKIPPED') return log.record(action, type, shown, existing?.id);
    const { id } = roles.replace(existing, () => ({ ...plain(role), id: roles.freeId(role.id) }));
    imported.push({ clientId, name: role.name });
    log.record(action, type, shown, id);
  };
  await forEachYielding(draft.realm, sent?.realm ?? [], (role) => take(realmRoles, role, undefined));
  for (const [clientId, roles] of Object.entries(sent?.client ?? {})) {
    if (roles.length === 0 || isInternalClient(draft.realm, clientId)) continue;
    const own = clientRoles.get(clientId) ?? new ImportList([], { ...parts, ids });
    clientRoles.set(clientId, own);
    await forEachYielding(draft.realm, roles, (role) => take(own, role, clientId));
  }
  const client = Object.fromEntries([...clientRoles].map(([clientId, roles]) => [clientId, roles.all()]));
  draft.roles = { ...draft.roles, realm: realmRoles.all(), client };
  return imported;
}

function plain({ name, description, composites, attributes }: RoleRepresentation): RoleRepresentation {
  return defined({
    name,
    composite: composites !== undefined,
    description,
    composites,
    attributes,
  });
}
