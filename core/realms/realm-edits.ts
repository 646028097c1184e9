import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { HostError } from '@keyhost/spi';
import type { IgnoredMember } from '../config/ignored-members.js';
import type { JsonPath } from '../config/json/json-document.js';
import { type RealmChecks, realmProblemsInPieces } from '../config/realm-file/realm-problems.js';
import { removeStaleMembers } from '../config/realm-file/stale/remove-stale-members.js';
import type { StaleMember } from '../config/realm-file/stale/rule.js';
import { isBuiltInKeyProvider, KEY_PROVIDER } from '../keys/component-key.js';
import { importRealmKeys } from '../keys/import-keys.js';
import { REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import { addMissingSecrets } from '../model/client-secrets.js';
import { defined } from '../model/defined.js';
import { KeyedQueue } from '../model/keyed-queue.js';
import { isRealmName, MASTER_REALM } from '../model/realm.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import { WriteConditions } from '../store/write-conditions.js';
import { guardForRealmChange, lastAdministratorError } from '../users/last-administrator.js';
import type { ApplyServices } from './apply-realm-file.js';
import { withBuiltIns, withIds } from './built-ins/built-ins.js';
import { type EditEffects, noEffects } from './edit-effects.js';
import { type NewUser, newUsers, userRecords } from './file-users.js';
import { newIdleMembers, newIdleMembersInPieces } from './idle-members.js';
import { withoutKeySecrets } from './key-secrets.js';
import type { KnownProviders } from './known-providers.js';
import { prepareNewRealm } from './new-realm.js';
import { putRealm } from './put-realm.js';
import { realmBusyError } from './realm-busy.js';
import { realmClientId, withRealmClients } from './realm-client.js';
import { credentialMistakes, realmFileMistakes } from './realm-file-checks.js';
import { idTakenError, RealmInvalid, referenceProblemsInPieces, textOf } from './realm-invalid.js';
import { replaceClientId } from './replace-names.js';
import { newServiceAccounts } from './service-accounts.js';

interface CreateOptions {
  readonly onIgnored?: (paths: readonly JsonPath[]) => void;
  readonly onChecked?: (realm: RealmRepresentation, users: readonly UserRepresentation[]) => Promise<void>;
}

/**
 * Called after a realm was written.
 * @param secretsGiven client IDs of clients that had no secret and got a new one
 */
type OnEdited = (
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  secretsGiven: readonly string[],
) => void;

/** The number of edits of one realm that may wait. */
const MAX_WAITING_EDITS = 200;
/** How often an edit is repeated if the realm or a user of the same name has changed meanwhile. */
const MAX_ATTEMPTS = 10;

/** Changes the draft; `before` is the stored realm, which must not be changed. */
export type RealmChange<T> = (
  draft: RealmRepresentation,
  effects: EditEffects,
  before: RealmRepresentation,
) => T | Promise<T>;

/** Edits realms for admins. Each edit is checked and written as a whole, or not at all. */
export class RealmEdits {
  readonly #services: ApplyServices;
  readonly #checks: RealmChecks;
  readonly #inspectEdit: RealmChecks['furtherProblems'];
  readonly #isProduction: boolean;
  readonly #onEdited: OnEdited;
  readonly #conditions: WriteConditions;
  readonly #queue = new KeyedQueue(MAX_WAITING_EDITS);

  /**
   * @param checks `inspect` adds checks of higher modules to those of keys, hashes and policies. `inspectEdit` finds
   * problems that no edit may cause, although an import may have them. With `isProduction`, no realm is created that is
   * less protected than the request declares.
   * @param onEdited called for each realm that was changed or created, after it was written
   * @param conditions preconditions of the callers, such as `If-Match`
   */
  constructor(
    services: ApplyServices,
    checks: RealmChecks &
      Pick<KnownProviders, 'blacklists'> & {
        readonly inspectEdit?: RealmChecks['furtherProblems'];
        readonly isProduction?: boolean;
      },
    onEdited: OnEdited = () => {},
    conditions = new WriteConditions(),
  ) {
    this.#conditions = conditions;
    this.#services = services;
    this.#onEdited = onEdited;
    this.#inspectEdit = checks.inspectEdit;
    this.#isProduction = checks.isProduction ?? false;
    this.#checks = {
      // Read for each check, because plugins are replaced while the host runs.
      get providers() {
        return checks.providers;
      },
      get hasLeftOutPlugin() {
        return checks.hasLeftOutPlugin ?? false;
      },
      furtherProblems: (realm) => [...realmFileMistakes(realm, checks), ...(checks.furtherProblems?.(realm) ?? [])],
      furtherUserProblems: (realm) => [
        ...credentialMistakes(realm, checks),
        ...(checks.furtherUserProblems?.(realm) ?? []),
      ],
    };
  }

  /**
   * Returns the members of a realm that have no effect.
   * @param before the realm before an edit; then only members that the edit has added are returned
   */
  idleMembers(realm: RealmRepresentation, before?: RealmRepresentation): readonly IgnoredMember[] {
    return newIdleMembers(before, realm, this.#checks);
  }

  /** Like `idleMembers`, and lets other requests run while it reads many users. */
  idleMembersInPieces(realm: RealmRepresentation, before?: RealmRepresentation): Promise<readonly IgnoredMember[]> {
    return newIdleMembersInPieces(before, realm, this.#checks);
  }

  /**
   * Removes or replaces members that Keyhost cannot use.
   * @param realm changed in place; it need not match the schema
   * @throws HostError `realm_invalid` (400) in production if that makes the realm less protected
   */
  removeStale(realm: unknown): readonly StaleMember[] {
    const stale = removeStaleMembers(realm);
    const weakeningMembers = this.#isProduction ? stale.filter(({ weakens }) => weakens) : [];
    if (weakeningMembers.length > 0) throw new RealmInvalid(weakeningMembers);
    return stale;
  }

  /** Returns the stored representation of the live realm. */
  async representation(name: string): Promise<RealmRepresentation | undefined> {
    const cachedRealm = this.#services.realms.cached(name);
    return cachedRealm?.representation ?? (await this.#services.store.realms.get(name))?.representation;
  }

  /**
   * Edits the live realm, after earlier edits of it. The stored declaration of the realm's file does not change: an
   * edit is a difference to it.
   * @param change gets a copy. It is called again if the realm was changed meanwhile, for example by a realm file. Its
   * errors are thrown. It must not edit a realm itself.
   * @throws HostError `realm_invalid` (400) with `problems` if the edit violates a rule that the realm kept before,
   * `realm_gone` (404), `temporarily_unavailable` (503) if too many edits wait, `realm_busy` (503), and the errors of
   * preconditions and of `lastAdministratorError`
   */
  edit<T>(name: string, change: RealmChange<T>): Promise<T> {
    return this.#queue.run(name, () => this.#edit(name, change));
  }

  async #edit<T>(name: string, change: RealmChange<T>): Promise<T> {
    const { store, realms, users, keys, clock } = this.#services;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const record = await store.realms.get(name);
      if (record === undefined) throw new HostError('realm_gone', 'Realm not found.', { status: 404 });
      await this.#conditions.check(record);
      const draft = structuredClone(record.representation);
      const effects = noEffects();
      const result = await change(draft, effects, record.representation);
      const complete = withIds(draft, record.representation);
      await this.#refuseNewProblems(record.representation, complete, effects.newUsers);
      const { newUsers: addedUsers, removedUsers, ...writes } = effects;
      const { names, removedClients, removedServiceAccounts } = writes;
      const changesUsers =
        names.length + removedClients.length + removedServiceAccounts.length + removedUsers.length > 0;
      const outcome = await putRealm(
        this.#services,
        { ...record, representation: withoutKeySecrets(complete) },
        {
          expectedVersion: record.version,
          ...writes,
          imported: {
            users: await userRecords(name, withServiceAccountClients(addedUsers, complete), this.#services),
            removed: removedUsers,
            emailUnique: complete.duplicateEmailsAllowed !== true,
          },
          ...defined({ kept: guardForRealmChange(record.representation, complete, changesUsers) }),
          users: newServiceAccounts(record.representation, complete, clock),
        },
      );
      if (outcome === 'conflict') continue;
      if (outcome === 'unheld') throw lastAdministratorError();
      if (outcome === 'idTaken') throw idTakenError(complete.id);
      this.#conditions.markMet();
      if (changesUsers) users.evictAll(name);
      const changesKeys = effects.keys.length + effects.keyStates.length + effects.removedKeys.length > 0;
      // A changed component has other keys, and it is unknown whether its provider works.
      if (!isDeepStrictEqual(keyComponentsOfPlugins(record.representation), keyComponentsOfPlugins(complete)))
        keys.forget(name);
      else if (changesKeys) keys.invalidate(name);
      realms.invalidate(name);
      this.#onEdited(record.representation, complete, []);
      return result;
    }
    throw realmBusyError();
  }

  /**
   * Creates a realm with its users and keys from a representation, which may be that of an older Keycloak. The steps
   * take long if there are many users, so other requests run between them.
   * @param requestedRealm matches the schema of realm files
   * @param options.onIgnored gets the paths of members that are removed or have no effect, before anything is written
   * @param options.onChecked gets the valid realm before anything is written; its errors are thrown
   * @throws HostError `realm_invalid` (400) with `problems`, `realm_exists` (409)
   */
  async create(
    requestedRealm: RealmRepresentation,
    requestedUsers: readonly UserRepresentation[],
    { onIgnored, onChecked }: CreateOptions = {},
  ): Promise<void> {
    const { store, realms, keys, clock } = this.#services;
    const name = requestedRealm.realm;
    const { representation, users, ignored } = await prepareNewRealm(
      requestedRealm,
      requestedUsers,
      this.#checks,
      (draft) => this.removeStale(draft),
    );
    if (ignored.length > 0) onIgnored?.(ignored);
    const { realm: complete, clientIds } = addMissingSecrets(withBuiltIns(representation));
    await onChecked?.(complete, users);
    const existsError = () => new HostError('realm_exists', `Realm ${name} already exists`, { status: 409 });
    if (!isRealmName(name) || (await store.realms.get(name)) !== undefined) throw existsError();
    const keyDrafts = importRealmKeys(representation, clock.now());
    const outcome = await store.realms.put(
      { id: complete.id ?? randomUUID(), name, representation: withoutKeySecrets(complete) },
      {
        expectedVersion: 0,
        users: await userRecords(name, await newUsers({ users }, complete, undefined, store.users), this.#services),
        keys: await keys.records(name, keyDrafts),
      },
    );
    if (outcome === 'idTaken') throw idTakenError(complete.id);
    if (typeof outcome === 'string') throw existsError();
    keys.invalidate(name);
    realms.invalidate(name);
    this.#onEdited(undefined, complete, clientIds);
  }

  /**
   * Gives a user of `master`, who has created a realm, every right over it: roles of the client `<realm>-realm` there,
   * as in Keycloak.
   */
  async grantOverRealm(name: string, user: User): Promise<void> {
    const clientId = realmClientId(name);
    await this.addRealmClients([name]);
    const { realms, users } = this.#services;
    const master = await realms.get(MASTER_REALM);
    if (master === undefined) throw new HostError('realm_gone', 'Realm not found.', { status: 404 });
    await users.change(master, user.id, (draft) => {
      draft.clientRoles = { ...draft.clientRoles, [clientId]: [...REALM_MANAGEMENT_ROLES] };
    });
  }

  /** Stores the missing clients that represent these realms in `master`, with their roles. */
  async addRealmClients(names: readonly string[]): Promise<void> {
    await this.edit(MASTER_REALM, (master) => void Object.assign(master, withRealmClients(master, names)));
  }

  /**
   * Removes a realm with everything in it.
   * @returns false if there was none
   */
  async remove(name: string): Promise<boolean> {
    const { store, realms, keys, users } = this.#services;
    const isRemoved = this.#conditions.apply
      ? await this.#removeIfConditionsMet(name)
      : await store.realms.remove(name);
    realms.evictRemoved(name);
    keys.forget(name);
    users.evictAll(name);
    if (isRemoved && name !== MASTER_REALM) await this.#removeRightsOver(name);
    return isRemoved;
  }

  async #removeIfConditionsMet(name: string): Promise<boolean> {
    const { realms } = this.#services.store;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const record = await realms.get(name);
      if (record === undefined) return false;
      await this.#conditions.check(record);
      if (!(await realms.remove(name, record.version))) continue;
      this.#conditions.markMet();
      return true;
    }
    throw realmBusyError();
  }

  /** Removes the rights over a removed realm: another realm of the same name must not belong to its former admins. */
  async #removeRightsOver(name: string): Promise<void> {
    const clientId = realmClientId(name);
    if ((await this.representation(MASTER_REALM))?.clients?.some((client) => client.clientId === clientId) !== true)
      return;
    await this.edit(MASTER_REALM, (master, effects) => {
      const client = master.clients?.find((one) => one.clientId === clientId);
      if (client?.id === undefined) return;
      replaceClientId(master, effects, { id: client.id, clientId });
      master.clients = master.clients?.filter((one) => one !== client) ?? [];
      effects.removedClients.push(client.id);
    });
  }

  /**
   * Rejects an edit that causes problems. Problems that the realm already had, such as a provider of a removed plugin,
   * do not count.
   * @throws RealmInvalid
   */
  async #refuseNewProblems(
    before: RealmRepresentation,
    after: RealmRepresentation,
    newUsers: readonly UserRepresentation[],
  ): Promise<void> {
    const problemsOf = async (realm: RealmRepresentation, users?: readonly UserRepresentation[]) => [
      ...(await realmProblemsInPieces(withUsers(withoutKeys(realm), users), this.#checks)),
      ...(this.#inspectEdit?.(realm) ?? []),
      ...(await referenceProblemsInPieces(withUsers(realm, users))),
    ];
    const problems = await problemsOf(after, newUsers.length === 0 ? undefined : newUsers);
    if (problems.length === 0) return;
    const knownTexts = new Set((await problemsOf(before)).map(textOf));
    const newProblems = problems.filter((problem) => !knownTexts.has(textOf(problem)));
    if (newProblems.length > 0) throw new RealmInvalid(newProblems);
  }
}

function withUsers(realm: RealmRepresentation, users: readonly UserRepresentation[] | undefined): RealmRepresentation {
  return users === undefined ? realm : { ...realm, users: [...users] };
}

/** Returns the components whose keys plugins manage. */
function keyComponentsOfPlugins({ components }: RealmRepresentation) {
  return (components?.[KEY_PROVIDER] ?? []).filter((component) => !isBuiltInKeyProvider(component));
}

/**
 * Returns the realm without the components of keys. Stored ones have no key material, and new ones were checked
 * already.
 */
function withoutKeys({ components = {}, ...realm }: RealmRepresentation): RealmRepresentation {
  const { [KEY_PROVIDER]: _, ...others } = components;
  return { ...(realm as RealmRepresentation), components: others };
}

/** Adds the internal ID of the client to each user that is a service account. */
function withServiceAccountClients(
  users: readonly UserRepresentation[],
  { clients = [] }: RealmRepresentation,
): NewUser[] {
  const ids = new Map(clients.map(({ clientId, id }) => [clientId, id]));
  return users.map((user) => {
    const id = user.serviceAccountClientId === undefined ? undefined : ids.get(user.serviceAccountClientId);
    return { user, ...defined({ serviceAccountClientId: id }) };
  });
}
