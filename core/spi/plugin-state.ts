import type { StoredEntry } from './session.js';

/** Where an entry comes from that is migrated. */
export interface MigrationContext {
  /** The version that wrote the entry. It is lower than the plugin's own, and not always by one. */
  readonly from: number;
  /** The realm that the entry belongs to. */
  readonly realm: string;
}

/**
 * The version of what a plugin keeps in `session.store`. Raise `version` if a version of the plugin reads or writes its entries
 * differently. The host migrates them before that version serves: each entry by itself, into a place of its own. The entries of the
 * version before stay as they are, and are there again after a rollback.
 */
export interface PluginState {
  /** A whole number from 1. A plugin without `state` has version 1. */
  readonly version: number;
  /**
   * Gives what takes the place of an entry: the same or another one, several, or nothing (`undefined` or an empty list). Required for a
   * version above 1. It has 10 seconds. It must not depend on the order of entries, or do anything else: after a hard stop, the host
   * begins again with the first entry. If it throws, the version does not serve, and nothing of the older entries has changed.
   */
  migrate?(
    entry: StoredEntry,
    context: MigrationContext,
  ): StoredEntry | readonly StoredEntry[] | undefined | Promise<StoredEntry | readonly StoredEntry[] | undefined>;
}
