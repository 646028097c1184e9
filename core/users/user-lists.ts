import { FairQueue } from '../model/fair-queue.js';
import { waitForRealmTurn } from '../model/loop-turns.js';
import { User } from '../model/user.js';
import type { RoughCount, UserFilter, UserStore } from '../store/store.js';

/** Number of users that one task of the queue reads for a list. */
const LIST_CHUNK_SIZE = 100;
/** Number of users that one task reads for a search, which starts over for each part. */
const SEARCH_CHUNK_SIZE = 500;
/** Maximum number of concurrent reads: each takes a database connection. */
const CONCURRENCY = 4;
/** Maximum number of concurrent reads per realm, so that slots remain for other realms. */
const MAX_READS_PER_REALM = 2;
/** Maximum number of waiting reads of all realms. */
const MAX_WAITING_READS = 256;

/**
 * Lists and searches users, in parts that wait in a fair queue: a realm's lists delay other requests by one part at a
 * time. Each method rejects with HostError `temporarily_unavailable` (503) if too many lists of the realm are waiting.
 */
export class UserLists {
  readonly #store: { readonly users: UserStore };
  readonly #queue = new FairQueue({
    concurrency: CONCURRENCY,
    ofOneRealm: MAX_READS_PER_REALM,
    limit: MAX_WAITING_READS,
  });

  constructor(store: { readonly users: UserStore }) {
    this.#store = store;
  }

  async find(realm: string, query: Parameters<UserStore['find']>[1]): Promise<User[]> {
    const { first = 0, max = 100, after = '', ...filter } = query;
    const chunkSize = filter.search === undefined ? LIST_CHUNK_SIZE : SEARCH_CHUNK_SIZE;
    const users: User[] = [];
    let page = { first, after };
    while (users.length < max) {
      await waitForRealmTurn(realm);
      const chunkQuery = { ...filter, ...page, max: Math.min(chunkSize, max - users.length) };
      const chunk = await this.#queue.run(realm, () => this.#store.users.find(realm, chunkQuery));
      for (const record of chunk) users.push(new User(record));
      if (chunk.length < chunkQuery.max) break;
      page = { first: 0, after: chunk.at(-1)?.username ?? '' };
    }
    return users;
  }

  async count(realm: string, filter: UserFilter): Promise<number> {
    await waitForRealmTurn(realm);
    return this.#queue.run(realm, () => this.#store.users.count(realm, filter));
  }

  async countRoughly(realm: string, filter: UserFilter): Promise<RoughCount> {
    await waitForRealmTurn(realm);
    return this.#queue.run(realm, () => this.#store.users.countRoughly(realm, filter));
  }
}
