import type { StoredEntry } from './session.js';

/** The origin of an entry that is migrated. */
export interface MigrationContext {
  /** The version that wrote the entry. It is lower than the plugin's current version, possibly by more than one. */
  readonly from: number;
  /** The name of the realm to which the entry belongs. */
  readonly realm: string;
}

/**
 * The version of a plugin's data in `session.store`. Raise `version` when the plugin reads or writes its entries
 * differently. The host migrates them before that version serves: each entry separately, into a new namespace. The
 * previous version's entries stay unchanged and are used again after a rollback.
 */
export interface PluginState {
  /** A whole number from 1. A plugin without `state` has version 1. */
  readonly version: number;
  /**
   * Returns the replacement of an entry: the same or another entry, several, or none (`undefined` or an empty list).
   * Required for a version above 1. The time limit is 10 seconds. The method must not depend on the order of entries or
   * have side effects: after a crash, the host starts again with the first entry. If it throws, the new version does
   * not serve, and the older entries are unchanged.
   */
  migrate?(
    entry: StoredEntry,
    context: MigrationContext,
  ): StoredEntry | readonly StoredEntry[] | undefined | Promise<StoredEntry | readonly StoredEntry[] | undefined>;
}
