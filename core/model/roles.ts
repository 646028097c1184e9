import type { RealmRepresentation, RoleRepresentation } from './representation.js';

/** A realm role (`clientId` undefined) or a client role. */
export interface Role {
  readonly name: string;
  readonly clientId: string | undefined;
  readonly composites: Role[];
}

/** Role names as a token shows them. */
export interface RoleNames {
  readonly realm: readonly string[];
  /** By `client_id`. */
  readonly clients: Readonly<Record<string, readonly string[]>>;
}

/** The roles of a realm and how they contain each other. */
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
      const ofClient = new Map<string, Role>();
      this.clients.set(clientId, ofClient);
      for (const representation of representations) {
        const role: Role = { name: representation.name, clientId, composites: [] };
        ofClient.set(role.name, role);
        declared.push([role, representation]);
      }
    }
    for (const [role, { composites }] of declared) {
      role.composites.push(...this.find(composites?.realm, composites?.client));
    }
  }

  /** The roles of these names; names that do not exist are left out. */
  find(realm: readonly string[] = [], clients: Readonly<Record<string, readonly string[]>> = {}): Role[] {
    const found: Role[] = [];
    for (const name of realm) {
      const role = this.realm.get(name);
      if (role !== undefined) found.push(role);
    }
    for (const [clientId, names] of Object.entries(clients)) {
      for (const name of names) {
        const role = this.clients.get(clientId)?.get(name);
        if (role !== undefined) found.push(role);
      }
    }
    return found;
  }

  /** The roles and everything they contain. */
  static expand(roles: Iterable<Role>): Set<Role> {
    const all = new Set<Role>();
    const open = [...roles];
    for (let role = open.pop(); role !== undefined; role = open.pop()) {
      if (all.has(role)) continue;
      all.add(role);
      open.push(...role.composites);
    }
    return all;
  }

  /** Frozen: mappers get these as they are. */
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
