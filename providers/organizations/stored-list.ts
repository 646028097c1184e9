import type { PluginStore, StoredEntry } from '@keyhost/spi';

const PAGE_SIZE = 500;

/** Returns all entries with a prefix, ordered by key. No entry is skipped if others are deleted meanwhile. */
export async function* entriesBelow(store: PluginStore, prefix: string): AsyncGenerator<StoredEntry> {
  let after: string | undefined;
  for (;;) {
    const entries = await store.list(prefix, { max: PAGE_SIZE, ...(after === undefined ? {} : { after }) });
    yield* entries;
    if (entries.length < PAGE_SIZE) return;
    after = entries.at(-1)?.key;
  }
}
