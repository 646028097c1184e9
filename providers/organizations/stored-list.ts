import type { PluginStore, StoredEntry } from '@keyhost/spi';

const AT_A_TIME = 500;

/** All entries with a prefix, ordered by key. Concurrent deletes cause no entry to be skipped. */
export async function* entriesBelow(store: PluginStore, prefix: string): AsyncGenerator<StoredEntry> {
  let after: string | undefined;
  for (;;) {
    const entries = await store.list(prefix, { max: AT_A_TIME, ...(after === undefined ? {} : { after }) });
    yield* entries;
    if (entries.length < AT_A_TIME) return;
    after = entries.at(-1)?.key;
  }
}
