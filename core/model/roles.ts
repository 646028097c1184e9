import type { RealmRepresentation, RoleRepresentation } from './representation.js';

/** A realm role (`clientId` undefined) or a client role. */
export interface Role {
  readonly name: string;
  readonly clientId: string | undefined;
  readonly composites: Role[];
}

/** Role names in the form in which tokens contain them. */
export interface RoleNames {
  readonly realm: readonly string[];
  /** Names of client roles by client ID. */
  readonly clients: Readonly<Record<string, readonly string[]>>;
}

/** The roles of a realm, and which roles they contain. */
export class RoleGraph {
  readonly realm = new Map<string, Role>();
  readonly clients = new Map<string, Map<string, Role>>();

  constructor(roles: RealmRepresentation['roles']) {
    const declared: [Role, RoleRepresentation][] = [];
    for (const representation of roles?.realm ?? []) {
      const role: Role = { name: representation.name, clientId: undefined, composites: [] };
      this.realm.set(role.name, role);
      declared.push([role, representation]);
    }
    for (const [clientId, representations] of Object.entries(roles?.client ?? {})) {
      const clientRoles = new Map<string, Role>();
      this.clients.set(clientId, clientRoles);
      for (const representation of representations) {
        const role: Role = { name: representation.name, clientId, composites: [] };
        clientRoles.set(role.name, role);
        declared.push([role, representation]);
      }
    }
    for (const [role, { composites }] of declared) {
      role.composites.push(...this.find(composites?.realm, composites?.client));
    }
  }

  /** Finds roles by their names. Names that do not exist are ignored. */
  find(realm: readonly string[] = [], clients: Readonly<Record<string, readonly string[]>> = {}): Role[] {
    const matches: Role[] = [];
    for (const name of realm) {
      const role = this.realm.get(name);
      if (role !== undefined) matches.push(role);
    }
    for (const [clientId, names] of Object.entries(clients)) {
      for (const name of names) {
        const role = this.clients.get(clientId)?.get(name);
        if (role !== undefined) matches.push(role);
      }
    }
    return matches;
  }

  /** Returns the roles and all roles that they contain. */
  static expand(roles: Iterable<Role>): Set<Role> {
    const expanded = new Set<Role>();
    const pending = [...roles];
    for (let role = pending.pop(); role !== undefined; role = pending.pop()) {
      if (expanded.has(role)) continue;
      expanded.add(role);
      pending.push(...role.composites);
    }
    return expanded;
  }

  /** Groups role names by client. The result is frozen, because mappers get it without a copy. */
  static names(roles: Iterable<Role>): RoleNames {
    const realm: string[] = [];
    const clients: Record<string, string[]> = {};
    for (const { name, clientId } of roles) {
      if (clientId === undefined) realm.push(name);
      else if (Object.hasOwn(clients, clientId)) clients[clientId]?.push(name);
      else clients[clientId] = [name];
    }
    for (const names of Object.values(clients)) Object.freeze(names);
    return Object.freeze({ realm: Object.freeze(realm), clients: Object.freeze(clients) });
  }
}
