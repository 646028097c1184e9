import { defined } from '../../model/defined.js';
import type { Reader, Writer } from '../engine/engine.js';
import type { RealmRecord, RealmSourceRecord, RealmStore } from '../store.js';
import type { PutOutcome, RealmRow, SummaryColumns } from './realm-operations.js';
import { USERS_PER_PIECE, UserLoads } from './user-loads.js';
import { userRow } from './users/user-operations.js';

/** Maximum number of users in one message to the writer. */
const USERS_PER_MESSAGE = 500;
/**
 * Counts the loads of all stores of this process, because stores that write on the calling thread share these users.
 */
let lastLoad = 0;

export class RealmRecords implements RealmStore {
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #userLoads: UserLoads;

  /** @param unfencedWriter undoes what `writer` has written */
  constructor(reader: Reader, writer: Writer, unfencedWriter = writer) {
    this.#reader = reader;
    this.#writer = writer;
    this.#userLoads = new UserLoads(writer, unfencedWriter);
  }

  async get(name: string): Promise<RealmRecord | undefined> {
    const sql = 'SELECT name, id, version, representation, source FROM realms WHERE name = $1';
    const row = await this.#reader.get<RealmRow>(sql, name);
    return row && { ...realmSummary(row), representation: JSON.parse(row.representation) };
  }

  async withDeclaration(name: string): ReturnType<RealmStore['withDeclaration']> {
    const row = await this.#reader.get<RealmRow & { declared: string | null }>(
      'SELECT r.name, r.id, r.version, r.representation, r.source, d.declared FROM realms r ' +
        'LEFT JOIN realm_declarations d ON d.realm = r.name WHERE r.name = $1',
      name,
    );
    if (row === undefined) return undefined;
    const record = { ...realmSummary(row), representation: JSON.parse(row.representation) };
    return row.declared === null ? record : { ...record, declared: JSON.parse(row.declared) };
  }

  async list(): ReturnType<RealmStore['list']> {
    const sql = 'SELECT name, id, version, source FROM realms ORDER BY name';
    return (await this.#reader.all<Omit<RealmRow, 'representation'>>(sql)).map(realmSummary);
  }

  async summaries(): ReturnType<RealmStore['summaries']> {
    const rows = await this.#reader.all<Pick<RealmRow, 'name' | 'id'> & SummaryColumns>(
      'SELECT name, id, display_name, enabled FROM realms ORDER BY name',
    );
    return rows.map(({ name, id, display_name, enabled }) =>
      defined({ id, name, enabled: enabled === 1, displayName: display_name ?? undefined }),
    );
  }

  async put(
    { id, name, representation, source }: Omit<RealmRecord, 'version'>,
    options: Parameters<RealmStore['put']>[1],
  ): Promise<PutOutcome> {
    const { expectedVersion, keys = [], keyStates = [], removedKeys = [], declared } = options;
    const { names = [], removedClients = [], removedServiceAccounts = [], kept } = options;
    const { users: importedUsers = [], removed = [], emailUnique = true } = options.imported ?? {};
    const users = [...importedUsers, ...(options.users ?? [])];
    lastLoad += 1;
    const load = lastLoad;
    const row = {
      name,
      id,
      representation: JSON.stringify(representation),
      source: source === undefined ? null : JSON.stringify(source),
      display_name: representation.displayName ?? null,
      enabled: representation.enabled === true ? 1 : 0,
      // An ID that stays the same is not checked, so that existing realms can be written.
      ids: [...new Set([id, representation.id ?? id])].filter((candidate) => expectedVersion === 0 || candidate !== id),
    };
    const text = declared === undefined ? null : JSON.stringify(declared);
    const removedClientIds = { clients: removedClients, serviceAccounts: removedServiceAccounts };
    const write = (count: number, endsLoad: boolean) => {
      const imported = { count, removed, emailUnique };
      const changes = [names, removedClientIds, text, keyStates, removedKeys, imported, kept] as const;
      return this.#writer.call('realms.put', row, expectedVersion, keys, load, ...changes, endsLoad);
    };
    for (let other = this.#userLoads.running(name); other !== undefined; other = this.#userLoads.running(name))
      await other;
    // New users may need the names and addresses that removals and renames free in the same transaction.
    const needsFreedValues = names.length + removed.length + removedClients.length + removedServiceAccounts.length > 0;
    if (users.length > USERS_PER_PIECE && !needsFreedValues && !this.#reader.isShared) {
      const others = options.users ?? [];
      const userLoad = { realm: name, expectedVersion, imported: importedUsers, others, emailUnique };
      return this.#userLoads.run(userLoad, () => write(0, true));
    }
    try {
      for (let first = 0; first < users.length; first += USERS_PER_MESSAGE) {
        const batch = users.slice(first, first + USERS_PER_MESSAGE);
        // Waiting for each message lets other requests run, and limits the data in flight.
        await this.#writer.call('realms.bring', load, first, batch.map(userRow));
      }
      return await write(importedUsers.length, false);
    } finally {
      // If the store is closed, the users are gone with it.
      if (users.length > 0) this.#writer.call('realms.forget', load).catch(() => {});
    }
  }

  putSource(name: string, source: RealmSourceRecord): Promise<void> {
    return this.#writer.call('realms.putSource', name, JSON.stringify(source));
  }

  remove(name: string, expectedVersion?: number): Promise<boolean> {
    return this.#writer.call('realms.remove', name, expectedVersion);
  }

  /** Ends writes of many users, which fail. Resolves when they are undone. */
  close(): Promise<void> {
    return this.#userLoads.close();
  }
}

function realmSummary({ id, name, version, source }: Omit<RealmRow, 'representation'>) {
  return { id, name, version, ...(source === null ? {} : { source: JSON.parse(source) as RealmSourceRecord }) };
}
