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

/** Imports roles. Users still have an overwritten role, since they refer to it by name. */
export async function importRoles(
  draft: RealmRepresentation,
  newRoles: RealmRepresentation['roles'],
  log: ImportLog,
): Promise<ImportedRole[]> {
  const importedRoles: ImportedRole[] = [];
  const { realm: currentRealmRoles = [], client: currentClientRoles = {} } = draft.roles ?? {};
  const parts = { keyOf: ({ name }: RoleRepresentation) => name, idsOf: ({ id }: RoleRepresentation) => [id] };
  const ids = new Set<string>();
  const realmRoles = new ImportList(currentRealmRoles, { ...parts, ids });
  const clientRoles = new Map(
    Object.entries(currentClientRoles).map(([clientId, roles]) => [clientId, new ImportList(roles, { ...parts, ids })]),
  );
  const importRole = (
    roles: ImportList<RoleRepresentation>,
    role: RoleRepresentation,
    clientId: string | undefined,
  ) => {
    const [description, type, displayName] =
      clientId === undefined
        ? ([`Realm role '${role.name}'`, 'REALM_ROLE', role.name] as const)
        : ([
            `Client role '${role.name}' for client '${clientId}'`,
            'CLIENT_ROLE',
            `${clientId}-->${role.name}`,
          ] as const);
    const existingRole = roles.find(role.name);
    const action = log.decide(description, existingRole !== undefined);
    if (action === 'SKIPPED') return log.record(action, type, displayName, existingRole?.id);
    const { id } = roles.replace(existingRole, () => ({ ...withImportedMembers(role), id: roles.freeId(role.id) }));
    importedRoles.push({ clientId, name: role.name });
    log.record(action, type, displayName, id);
  };
  await forEachYielding(draft.realm, newRoles?.realm ?? [], (role) => importRole(realmRoles, role, undefined));
  for (const [clientId, roles] of Object.entries(newRoles?.client ?? {})) {
    if (roles.length === 0 || isInternalClient(draft.realm, clientId)) continue;
    const rolesOfClient = clientRoles.get(clientId) ?? new ImportList([], { ...parts, ids });
    clientRoles.set(clientId, rolesOfClient);
    await forEachYielding(draft.realm, roles, (role) => importRole(rolesOfClient, role, clientId));
  }
  const client = Object.fromEntries([...clientRoles].map(([clientId, roles]) => [clientId, roles.items()]));
  draft.roles = { ...draft.roles, realm: realmRoles.items(), client };
  return importedRoles;
}

function withImportedMembers({ name, description, composites, attributes }: RoleRepresentation): RoleRepresentation {
  return defined({
    name,
    composite: composites !== undefined,
    description,
    composites,
    attributes,
  });
}
