import { FairQueue } from '../model/fair-queue.js';
import { realmTurn } from '../model/loop-turns.js';
import { User } from '../model/user.js';
import type { RoughCount, UserFilter, UserStore } from '../store/store.js';

/** Users of a long list that are read in one turn of the realm. */
const READ_AT_ONCE = 100;
/** The same of a search, which begins again with each part. */
const SEARCHED_AT_ONCE = 500;
/** Reads of lists that run at once: each takes a connection of a database. */
const CONCURRENCY = 4;
/** Those of one realm, which so leaves places to the others. */
const OF_ONE_REALM = 2;
/** Reads of all realms that wait. */
const MOST_WAITING = 256;

/**
 * Lists and searches of users. They are read in parts, in turns of the realms: the lists of one realm delay other requests by one
 * part at a time. Each method rejects with HostError `temporarily_unavailable` (503) if too many lists of the realm are waiting.
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
