import { FairQueue } from '../model/fair-queue.js';
import { realmTurn } from '../model/loop-turns.js';
import { User } from '../model/user.js';
import type { RoughCount, UserFilter, UserStore } from '../store/store.js';

/** Number of users of a long list that one task of the queue reads. */
const READ_AT_ONCE = 100;
/** The same for a search, which starts over for each part. */
const SEARCHED_AT_ONCE = 500;
/** Maximum number of concurrent reads: each takes a database connection. */
const CONCURRENCY = 4;
/** Maximum number of concurrent reads per realm, which leaves slots to the others. */
const OF_ONE_REALM = 2;
/** Maximum number of waiting reads of all realms. */
const MOST_WAITING = 256;

/**
 * Lists and searches of users, read in parts by a fair queue: a realm's lists delay other requests by one part at a
 * time. Each method rejects with HostError `temporarily_unavailable` (503) if too many lists of the realm are waiting.
 */
export class UserLists {
  readonly #store: { readonly users: UserStore };
  readonly #queue = new FairQueue({ concurrency: CONCURRENCY, ofOneRealm: OF_ONE_REALM, limit: MOST_WAITING });

  constructor(store: { readonly users: UserStore }) {
    this.#store = store;
  }

  async find(realm: string, query: Parameters<UserStore['find']>[1]): Promise<User[]> {
    const { first = 0, max = 100, after = '', ...filter } = query;
    const atOnce = filter.search === undefined ? READ_AT_ONCE : SEARCHED_AT_ONCE;
    const found: User[] = [];
    let page = { first, after };
    while (found.length < max) {
      await realmTurn(realm);
      const asked = { ...filter, ...page, max: Math.min(atOnce, max - found.length) };
      const part = await this.#queue.run(realm, () => this.#store.users.find(realm, asked));
      for (const record of part) found.push(new User(record));
      if (part.length < asked.max) break;
      page = { first: 0, after: part.at(-1)?.username ?? '' };
    }
    return found;
  }

  async count(realm: string, filter: UserFilter): Promise<number> {
    await realmTurn(realm);
    return this.#queue.run(realm, () => this.#store.users.count(realm, filter));
  }

  async countRoughly(realm: string, filter: UserFilter): Promise<RoughCount> {
    await realmTurn(realm);
    return this.#queue.run(realm, () => this.#store.users.countRoughly(realm, filter));
  }
}
