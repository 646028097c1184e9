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
 * Maximum number of realms whose roles one list contains; others can be found by name. Compiling them blocks other
 * requests.
 */
const MAX_LISTED_REALMS = 500;

/**
 * The clients `<realm>-realm` of `master`, whose roles give admins of `master` rights in the other realms. Every realm
 * has one. It is stored only with the first change that refers to it, because most realms never have an admin in
 * `master`.
 */
export class RealmClients {
  readonly #realms: Realms;
  readonly #edits: RealmEdits;
  /** Names of realms, by the common prefix of the IDs of their client and its roles. Deleted realms are not removed. */
  readonly #names = new Map<string, string>();
  readonly #indexedRealms = new Set<string>();
  /** Compiled once per version of `master` and set of realms. */
  #listed: { master: Realm; key: string; realm: Realm } | undefined;

  constructor({ realms, edits }: { readonly realms: Realms; readonly edits: RealmEdits }) {
    this.#realms = realms;
    this.#edits = edits;
  }

  /**
   * The clients that are not stored yet.
   * @param matches selects clients by their ID
   */
  unstoredClients(master: Realm, matches: (clientId: string) => boolean): StoredClient[] {
    return this.#realmsWithoutClient(master)
      .filter((name) => matches(realmClientId(name)))
      .map(realmClientOf);
  }

  /**
   * Stores the clients that a change of `master` refers to. The path or body may contain the ID of the client, or of
   * one of its roles.
   * @returns true if a client was stored
   */
  async storeReferredClients(
    realm: Realm,
    { method, roles }: OperationKind,
    params: object,
    body: unknown,
  ): Promise<boolean> {
    if (realm.name !== MASTER_REALM || method === 'GET' || roles.length === 0) return false;
    const referredRealms = this.#referredRealms(realm, [...Object.values(params), ...containerIdsIn(body)]);
    if (referredRealms.length > 0) await this.#edits.addRealmClients(referredRealms);
    return referredRealms.length > 0;
  }

  /**
   * Returns `master` with the clients that a GET refers to. If it lists roles, these are the clients whose roles may
   * match the search.
   */
  withReferredClients(
    realm: Realm,
    { method, listsRolesOfRealmClients }: OperationKind,
    params: object,
    query: AdminQuery,
  ): Realm {
    if (realm.name !== MASTER_REALM || method !== 'GET') return realm;
    if (listsRolesOfRealmClients === true) return this.#withListed(realm, query.string('search') ?? '');
    const referredRealms = this.#referredRealms(realm, Object.values(params));
    return referredRealms.length === 0 ? realm : compileWithClients(realm, referredRealms);
  }

  #withListed(realm: Realm, search: string): Realm {
    const matchesRole = REALM_MANAGEMENT_ROLES.some((role) => role.includes(search.trim().toLowerCase()));
    const matchingRealms = this.#realmsWithoutClient(realm).filter(
      (name) => matchesRole || realmClientId(name).includes(search),
    );
    const names = matchingRealms.sort().slice(0, MAX_LISTED_REALMS);
    const key = names.join();
    if (this.#listed?.master !== realm || this.#listed.key !== key) {
      this.#listed = { master: realm, key, realm: compileWithClients(realm, names) };
    }
    return this.#listed.realm;
  }

  #referredRealms(master: Realm, ids: readonly unknown[]): string[] {
    const keys = new Set(ids.filter((id) => typeof id === 'string').map(realmClientKey));
    if (keys.size === 0) return [];
    for (const name of this.#realms.names()) {
      if (this.#indexedRealms.has(name)) continue;
      this.#indexedRealms.add(name);
      this.#names.set(realmClientKey(realmClientOf(name).id), name);
    }
    const referredNames = new Set([...keys].map((key) => this.#names.get(key)));
    return this.#realmsWithoutClient(master).filter((name) => referredNames.has(name));
  }

  #realmsWithoutClient(master: Realm): string[] {
    const names = this.#realms.names();
    return names.filter((name) => name !== MASTER_REALM && !master.clients.has(realmClientId(name)));
  }
}

function compileWithClients(master: Realm, addedRealms: readonly string[]): Realm {
  const { id, name, version, baseUrl, adminUrl } = master;
  const representation = withRealmClients(master.representation, addedRealms);
  return new Realm({ id, name, version, representation }, baseUrl, adminUrl);
}

/** The container IDs of the roles in a body. */
function containerIdsIn(body: unknown): unknown[] {
  return Array.isArray(body) ? body.map((role) => (role as { containerId?: unknown } | null)?.containerId) : [];
}
