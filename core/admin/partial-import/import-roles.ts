import { randomUUID } from 'node:crypto';
import type { RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import { isInternalClient } from './import-clients.js';
import { freeId, type ImportLog } from './import-log.js';

/** A role that was imported, by its name. */
export interface ImportedRole {
  readonly clientId: string | undefined;
  readonly name: string;
}

/** Overwritten roles stay with those who hold them: roles are held by name. */
export function importRoles(
  draft: RealmRepresentation,
  sent: RealmRepresentation['roles'],
  log: ImportLog,
): ImportedRole[] {
  const imported: ImportedRole[] = [];
  const { realm: ofRealm = [], client: ofClients = {} } = draft.roles ?? {};
  const taken = () => [...ofRealm, ...Object.values(ofClients).flat()].map(({ id }) => id);
  const take = (roles: RoleRepresentation[], role: RoleRepresentation, clientId: string | undefined) => {
    const [what, type, shown] =
      clientId === undefined
        ? ([`Realm role '${role.name}'`, 'REALM_ROLE', role.name] as const)
        : ([
            `Client role '${role.name}' for client '${clientId}'`,
            'CLIENT_ROLE',
            `${clientId}-->${role.name}`,
          ] as const);
    const existing = roles.find(({ name }) => name === role.name);
    const action = log.decide(what, existing !== undefined);
    if (action === 'SKIPPED') return log.note(action, type, shown, existing?.id);
    if (existing !== undefined) roles.splice(roles.indexOf(existing), 1);
    const id = freeId(role.id, taken(), randomUUID);
    roles.push({ ...plain(role), id });
    imported.push({ clientId, name: role.name });
    log.note(action, type, shown, id);
  };
  for (const role of sent?.realm ?? []) take(ofRealm, role, undefined);
  for (const [clientId, roles] of Object.entries(sent?.client ?? {})) {
    if (isInternalClient(draft.realm, clientId)) continue;
    const own = Object.hasOwn(ofClients, clientId) ? (ofClients[clientId] ?? []) : [];
    for (const role of roles) take(own, role, clientId);
    if (own.length > 0) ofClients[clientId] = own;
  }
  draft.roles = { ...draft.roles, realm: ofRealm, client: ofClients };
  return imported;
}

function plain({ name, description, composites, attributes }: RoleRepresentation): RoleRepresentation {
  return {
    name,
    composite: composites !== undefined,
    ...(description === undefined ? {} : { description }),
    ...(composites === undefined ? {} : { composites }),
    ...(attributes === undefined ? {} : { attributes }),
  };
}
