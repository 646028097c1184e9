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

/** How long after its last heartbeat a migration is restarted by another node, in milliseconds. */
const LEASE_MS = 30_000;
/** How often a node checks if another node's migration has ended, in milliseconds. */
const LOOK_MS = 250;

/** A plugin that is about to serve. */
export interface StatefulPlugin {
  readonly module: string;
  readonly plugin: Pick<Plugin, 'name' | 'state'>;
}

export interface PluginStatesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time limit of a plugin for one entry, in milliseconds. */
  readonly limitMs: number;
}

/**
 * Migrates the state of a plugin to the version that is about to serve: one node does it, and the others wait. Each
 * version has its own namespace, so that the previous version's entries survive an error, a crash or a rollback.
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
   * Migrates the state, or goes back.
   * @param mayGoBack true if an older version than the current one may serve again, with its old entries
   * @returns true if this call changed the current version
   * @throws BootError `plugin_state` if the state cannot be changed to this version: it is unchanged
   */
  async prepare({ module, plugin }: StatefulPlugin, mayGoBack: boolean): Promise<boolean> {
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
        // If no other node uses the store, the process that began it is dead.
        if (store.isShared && migration.by !== this.#id && migration.until > clock.now()) await sleep(LOOK_MS);
        else await this.#records.replace(name, record, withoutMigration(record));
        continue;
      }
      const current = record?.version ?? 1;
      if (current < version) {
        if (await this.#migrate({ module, plugin }, record, version)) return true;
      } else if (await this.#goBack(module, name, record as StateRecord, version, mayGoBack)) return true;
    }
  }

  /** After a failed update: gives the serving versions back the states that the update had migrated. */
  async restore(serving: readonly StatefulPlugin[]): Promise<void> {
    for (const one of serving) {
      await this.prepare(one, true).catch((error: unknown) => {
        this.#parts.logger.error('the state of a plugin is not of the version that serves', {
          plugin: one.module,
          reason: messageOf(error),
        });
      });
    }
  }

  /** @returns false if another node was faster @throws BootError `plugin_state` */
  async #migrate({ module, plugin }: StatefulPlugin, before: StateRecord | undefined, to: number): Promise<boolean> {
    const { store, clock, logger, limitMs } = this.#parts;
    const { name, state } = plugin;
    const from = before?.version ?? 1;
    const lease = () => ({ by: this.#id, to, until: clock.now() + LEASE_MS });
    const old: StateRecord = before ?? { token: from, version: from };
    let record: StateRecord = { ...old, token: 0, migration: lease() };
    if (!(await this.#records.replace(name, before, record))) return false;
    const renew = async () => {
      if ((record.migration?.until ?? 0) - clock.now() > LEASE_MS / 2) return;
      const next = { ...record, migration: lease() };
      if (!(await this.#records.replace(name, record, next)))
        throw new Error('another node has begun the migration again');
      record = next;
    };
    try {
      const migrate = state?.migrate?.bind(state);
      if (migrate === undefined) throw new Error('it has no migrate');
      const count = await copyState({ store, clock }, { plugin: name, from, to, migrate }, limitMs, renew);
      const done = { token: to, version: to, kept: from };
      if (!(await this.#records.replace(name, record, done)))
        throw new Error('another node has begun the migration again');
      if (old.kept !== undefined && old.kept !== from && old.kept !== to) await clearState(store, name, old.kept);
      logger.info('the state of a plugin was migrated', { plugin: name, from, to, entries: count });
      return true;
    } catch (error) {
      await this.#records.replace(name, record, withoutMigration(record));
      throw new BootError(
        'plugin_state',
        `${module}: its state could not be migrated from version ${from} to ${to}: ${messageOf(error)}`,
        {
          plugin: module,
          hint: `mend migrate of its state, and try again: the entries of version ${from} are as they were`,
          cause: error,
        },
      );
    }
  }

  /** @returns false if another node was faster @throws BootError `plugin_state` */
  async #goBack(module: string, name: string, record: StateRecord, to: number, mayGoBack: boolean): Promise<boolean> {
    const { version, kept } = record;
    if (!mayGoBack || kept !== to) {
      throw new BootError('plugin_state', `${module}: its state is of version ${version}, and this version has ${to}`, {
        plugin: module,
        hint:
          kept === to
            ? 'install the version that the other nodes have, or use "keyhost plugin rollback" on a running node'
            : `install a version of the plugin whose state has version ${version} or higher`,
      });
    }
    if (!(await this.#records.replace(name, record, defined({ token: to, version: to, kept: undefined }))))
      return false;
    this.#parts.logger.warn('a plugin has the state of an older version again', {
      plugin: name,
      from: version,
      to,
      note: `what version ${version} wrote since its migration is not in it`,
    });
    return true;
  }
}

/** Returns the record without its failed migration. */
function withoutMigration({ migration: _, ...record }: StateRecord): StateRecord {
  return { ...record, token: record.version };
}
