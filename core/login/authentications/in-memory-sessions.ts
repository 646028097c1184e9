import { LRUCache } from 'lru-cache';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type {
  AuthenticationSessionKey,
  AuthenticationSessionStore,
  BrowserKey,
} from './authentication-session-store.js';

/**
 * Maximum total size of all authentication sessions in characters: about 50,000 sessions. Beyond it the oldest ones are
 * dropped, and start again from their restart cookie. The cache has no `max`: for that option it would allocate lists
 * of that length. Clearing them, whenever the cache becomes empty, would cost more than a login.
 */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** The assumed size of a session without its request and brokered account, whose length other parties control. */
const BASE_CHARACTERS = 1_000;

/**
 * Authentication sessions in memory, for a host whose store no other node shares. A login writes to the store only at
 * its end.
 */
export class InMemoryAuthenticationSessions implements AuthenticationSessionStore {
  readonly #sessions: LRUCache<string, HostAuthenticationSession>;
  /** The tab of the authentication session for a pushed request, by browser and request. */
  readonly #pushed = new Map<string, string>();
  /** Number of authentication sessions by browser. */
  readonly #tabCounts = new Map<string, number>();
  /** Keys of the sessions by realm and tab. */
  readonly #keysByTab = new Map<string, string>();

  constructor(clock: Clock) {
    this.#sessions = new LRUCache({
      maxSize: MAX_CHARACTERS,
      perf: clock,
      ttlResolution: 0,
      sizeCalculation: ({ request, brokered }) =>
        JSON.stringify(request).length + (JSON.stringify(brokered)?.length ?? 0) + BASE_CHARACTERS,
      dispose: ({ request, tabId }, key, reason) => {
        if (reason === 'set') return;
        this.#count(browserOf(key), -1);
        this.#keysByTab.delete(tabKeyOf(key));
        const pushed = `${browserOf(key)} ${request.pushed}`;
        if (this.#pushed.get(pushed) === tabId) this.#pushed.delete(pushed);
      },
    });
  }

  async find(
    _exchange: Exchange,
    sessionKey: AuthenticationSessionKey,
  ): Promise<HostAuthenticationSession | undefined> {
    return this.#sessions.get(keyOf(sessionKey));
  }

  async tabOfPushed({ realm, rootId }: BrowserKey, pushed: string): Promise<string | undefined> {
    return this.#pushed.get(`${realm} ${rootId} ${pushed}`);
  }

  async hasOthers(sessionKey: AuthenticationSessionKey): Promise<boolean> {
    const key = keyOf(sessionKey);
    return (this.#tabCounts.get(browserOf(key)) ?? 0) > (this.#sessions.has(key) ? 1 : 0);
  }

  isLost(realm: string, tabId: string): boolean {
    const key = this.#keysByTab.get(`${realm} ${tabId}`);
    return key === undefined || !this.#sessions.has(key);
  }

  save({ realm }: Exchange, session: HostAuthenticationSession, ttl: number): void {
    const key = keyOf({ realm: realm.name, ...session });
    if (!this.#sessions.has(key)) this.#count(browserOf(key), 1);
    const { pushed } = session.request;
    if (pushed !== undefined) this.#pushed.set(`${browserOf(key)} ${pushed}`, session.tabId);
    this.#keysByTab.set(tabKeyOf(key), key);
    this.#sessions.set(key, session, { ttl });
  }

  remove({ realm }: Exchange, session: HostAuthenticationSession): void {
    this.#sessions.delete(keyOf({ realm: realm.name, ...session }));
  }

  #count(browser: string, change: number): void {
    const count = (this.#tabCounts.get(browser) ?? 0) + change;
    if (count > 0) this.#tabCounts.set(browser, count);
    else this.#tabCounts.delete(browser);
  }
}

function keyOf({ realm, rootId, tabId }: AuthenticationSessionKey): string {
  return `${realm} ${rootId} ${tabId}`;
}

function tabKeyOf(key: string): string {
  const browser = browserOf(key);
  return browser.slice(0, browser.lastIndexOf(' ')) + key.slice(browser.length);
}

function browserOf(key: string): string {
  return key.slice(0, key.lastIndexOf(' '));
}
