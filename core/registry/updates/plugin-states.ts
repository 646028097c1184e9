import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger, Plugin } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { randomToken } from '../../model/random-token.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import { clearState, copyState } from './copy-state.js';
import { type StateRecord, StateRecords } from './state-records.js';

/**
 * The lease of a migration, in milliseconds. If it is not renewed for this long, another node restarts the migration.
 */
const LEASE_MS = 30_000;
/** How often a node checks whether another node's migration has ended, in milliseconds. */
const POLL_MS = 250;

/** A loaded plugin with its state declaration. */
export interface StatefulPlugin {
  readonly module: string;
  readonly plugin: Pick<Plugin, 'name' | 'state'>;
}

export interface PluginStatesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The time limit of a plugin's `migrate` for one entry, in milliseconds. */
  readonly entryTimeoutMs: number;
}

/**
 * Migrates the state of a plugin to the version that its code requires. One node migrates, and the others wait. Each
 * version has a separate namespace, so that the previous version's entries survive an error, a crash or a rollback.
 */
export class PluginStates {
  readonly #parts: PluginStatesParts;
  readonly #records: StateRecords;
  readonly #id = randomToken(8);

  constructor(parts: PluginStatesParts) {
    this.#parts = parts;
    this.#records = new StateRecords({ entries: parts.store.entries, clock: parts.clock });
  }

  /**
   * Migrates the state to this plugin's version, or restores the entries of the previous version.
   * @param allowRollback true if an older version may become current again, with its old entries
   * @returns true if this call changed the current version
   * @throws BootError `plugin_state` if the state cannot be changed to this version; it is unchanged then
   */
  async prepare({ module, plugin }: StatefulPlugin, allowRollback: boolean): Promise<boolean> {
    const { name, state } = plugin;
    const version = state?.version ?? 1;
    for (;;) {
      const record = await this.#records.read(name);
      if (record === undefined && state === undefined) return false;
      if (record === undefined && version === 1) {
        if (await this.#records.replace(name, undefined, { token: 1, version: 1 })) return false;
        continue;
      }
      if (record?.token === version) return false;
      const { migration } = record ?? {};
      if (record !== undefined && migration !== undefined) {
        const { store, clock } = this.#parts;
        // If no other node uses the store, the process that began the migration is dead.
        if (store.isShared && migration.by !== this.#id && migration.until > clock.now()) await sleep(POLL_MS);
        else await this.#records.replace(name, record, withoutMigration(record));
        continue;
      }
      const currentVersion = record?.version ?? 1;
      if (currentVersion < version) {
        if (await this.#migrate({ module, plugin }, record, version)) return true;
      } else if (await this.#rollBack(module, name, record as StateRecord, version, allowRollback)) return true;
    }
  }

  /** Called after a failed update: switches the states of the active plugins back to their versions. */
  async restore(activePlugins: readonly StatefulPlugin[]): Promise<void> {
    for (const plugin of activePlugins) {
      await this.prepare(plugin, true).catch((error: unknown) => {
        this.#parts.logger.error('the state of a plugin is not of the version that serves', {
          plugin: plugin.module,
          reason: messageOf(error),
        });
      });
    }
  }

  /**
   * Migrates the entries, and makes the new version current.
   * @returns false if another node was faster
   * @throws BootError `plugin_state`
   */
  async #migrate(
    { module, plugin }: StatefulPlugin,
    previousRecord: StateRecord | undefined,
    targetVersion: number,
  ): Promise<boolean> {
    const { store, clock, logger, entryTimeoutMs: limitMs } = this.#parts;
    const { name, state } = plugin;
    const from = previousRecord?.version ?? 1;
    const createLease = () => ({ by: this.#id, to: targetVersion, until: clock.now() + LEASE_MS });
    const base: StateRecord = previousRecord ?? { token: from, version: from };
    let record: StateRecord = { ...base, token: 0, migration: createLease() };
    if (!(await this.#records.replace(name, previousRecord, record))) return false;
    const renewLease = async () => {
      if ((record.migration?.until ?? 0) - clock.now() > LEASE_MS / 2) return;
      const next = { ...record, migration: createLease() };
      if (!(await this.#records.replace(name, record, next)))
        throw new Error('another node has begun the migration again');
      record = next;
    };
    try {
      const migrate = state?.migrate?.bind(state);
      if (migrate === undefined) throw new Error('it has no migrate');
      const count = await copyState(
        { store, clock },
        { plugin: name, from, to: targetVersion, migrate },
        limitMs,
        renewLease,
      );
      const completedState = { token: targetVersion, version: targetVersion, kept: from };
      if (!(await this.#records.replace(name, record, completedState)))
        throw new Error('another node has begun the migration again');
      if (base.kept !== undefined && base.kept !== from && base.kept !== targetVersion)
        await clearState(store, name, base.kept);
      logger.info('the state of a plugin was migrated', { plugin: name, from, to: targetVersion, entries: count });
      return true;
    } catch (error) {
      await this.#records.replace(name, record, withoutMigration(record));
      throw new BootError(
        'plugin_state',
        `${module}: its state could not be migrated from version ${from} to ${targetVersion}: ${messageOf(error)}`,
        {
          plugin: module,
          hint: `mend migrate of its state, and try again: the entries of version ${from} are as they were`,
          cause: error,
        },
      );
    }
  }

  /**
   * Makes the previous version of the state current again.
   * @returns false if another node was faster
   * @throws BootError `plugin_state`
   */
  async #rollBack(
    module: string,
    name: string,
    record: StateRecord,
    targetVersion: number,
    allowRollback: boolean,
  ): Promise<boolean> {
    const { version, kept } = record;
    if (!allowRollback || kept !== targetVersion) {
      throw new BootError(
        'plugin_state',
        `${module}: its state is of version ${version}, and this version has ${targetVersion}`,
        {
          plugin: module,
          hint:
            kept === targetVersion
              ? 'install the version that the other nodes have, or use "keyhost plugin rollback" on a running node'
              : `install a version of the plugin whose state has version ${version} or higher`,
        },
      );
    }
    if (
      !(await this.#records.replace(
        name,
        record,
        defined({ token: targetVersion, version: targetVersion, kept: undefined }),
      ))
    )
      return false;
    this.#parts.logger.warn('a plugin has the state of an older version again', {
      plugin: name,
      from: version,
      to: targetVersion,
      note: `what version ${version} wrote since its migration is not in it`,
    });
    return true;
  }
}

/** Returns the record without its aborted migration, so that its current version may write again. */
function withoutMigration({ migration: _, ...record }: StateRecord): StateRecord {
  return { ...record, token: record.version };
}
