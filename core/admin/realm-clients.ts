import { REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import { MASTER_REALM, Realm } from '../model/realm.js';
import { realmClientId, realmClientKey, realmClientOf, withRealmClients } from '../realms/realm-client.js';
import type { RealmEdits } from '../realms/realm-edits.js';
import type { Realms } from '../realms/realms.js';
import type { StoredClient } from './clients/find-client.js';
import type { AdminOperation } from './operation.js';
import type { AdminQuery } from './query.js';

type OperationKind = Pick<AdminOperation, 'method' | 'roles' | 'listsRolesOfRealmClients'>;

/**
 * Maximum number of realms whose roles one list contains; others are found by name. Compiling them blocks other
 * requests.
 */
const MAX_LISTED_REALMS = 500;

/**
 * The clients `<realm>-realm` of `master`, whose roles give its admins rights over the other realms. Every realm has
 * one, but it is stored only with the first change that names it, because most realms never have an admin in `master`.
 */
export class RealmClients {
  readonly #realms: Realms;
  readonly #edits: RealmEdits;
  /** Names of realms by the prefix of the IDs of their client and its roles. Those of deleted realms stay. */
  readonly #names = new Map<string, string>();
  readonly #known = new Set<string>();
  /** Compiled once per version of `master` and set of realms. */
  #listed: { of: Realm; key: string; realm: Realm } | undefined;

  constructor({ realms, edits }: { readonly realms: Realms; readonly edits: RealmEdits }) {
    this.#realms = realms;
    this.#edits = edits;
  }

  /** The clients that are not stored. @param fits selects by client ID */
  unstored(master: Realm, fits: (clientId: string) => boolean): StoredClient[] {
    return this.#missing(master)
      .filter((name) => fits(realmClientId(name)))
      .map(realmClientOf);
  }

  /**
   * Stores the clients that a change of `master` refers to, by their ID or the ID of a role, in the path or the body.
   */
  async storeReferredClients(
    realm: Realm,
    { method, roles }: OperationKind,
    params: object,
    body: unknown,
  ): Promise<boolean> {
    if (realm.name !== MASTER_REALM || method === 'GET' || roles.length === 0) return false;
    const named = this.#named(realm, [...Object.values(params), ...containersIn(body)]);
    if (named.length > 0) await this.#edits.addRealmClients(named);
    return named.length > 0;
  }

  /** `master` with the clients that a GET refers to. If it lists roles: with the clients that may match the search. */
  withReferredClients(
    realm: Realm,
    { method, listsRolesOfRealmClients }: OperationKind,
    params: object,
    query: AdminQuery,
  ): Realm {
    if (realm.name !== MASTER_REALM || method !== 'GET') return realm;
    if (listsRolesOfRealmClients === true) return this.#withListed(realm, query.string('search') ?? '');
    const named = this.#named(realm, Object.values(params));
    return named.length === 0 ? realm : compiled(realm, named);
  }

  #withListed(realm: Realm, search: string): Realm {
    const isRole = REALM_MANAGEMENT_ROLES.some((role) => role.includes(search.trim().toLowerCase()));
    const fitting = this.#missing(realm).filter((name) => isRole || realmClientId(name).includes(search));
    const names = fitting.sort().slice(0, MAX_LISTED_REALMS);
    const key = names.join();
    if (this.#listed?.of !== realm || this.#listed.key !== key) {
      this.#listed = { of: realm, key, realm: compiled(realm, names) };
    }
    return this.#listed.realm;
  }

  #named(master: Realm, ids: readonly unknown[]): string[] {
    const keys = new Set(ids.filter((id) => typeof id === 'string').map(realmClientKey));
    if (keys.size === 0) return [];
    for (const name of this.#realms.names()) {
      if (this.#known.has(name)) continue;
      this.#known.add(name);
      this.#names.set(realmClientKey(realmClientOf(name).id), name);
    }
    const named = new Set([...keys].map((key) => this.#names.get(key)));
    return this.#missing(master).filter((name) => named.has(name));
  }

  #missing(master: Realm): string[] {
    const names = this.#realms.names();
    return names.filter((name) => name !== MASTER_REALM && !master.clients.has(realmClientId(name)));
  }
}

function compiled(master: Realm, added: readonly string[]): Realm {
  const { id, name, version, baseUrl, adminUrl } = master;
  const representation = withRealmClients(master.representation, added);
  return new Realm({ id, name, version, representation }, baseUrl, adminUrl);
}

/** The container IDs of the roles in a body. */
function containersIn(body: unknown): unknown[] {
  return Array.isArray(body) ? body.map((one) => (one as { containerId?: unknown } | null)?.containerId) : [];
}
