import { LRUCache } from 'lru-cache';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationPlace, AuthenticationShelf, BrowserPlace } from './shelf.js';

/**
 * What all authentication sessions may take, in characters: some 50,000. Those beyond are forgotten, oldest first, and
 * begin again from their cookie. No `max` beside it: the cache would keep lists of that length and wipe them each time that
 * its last entry is removed, which takes longer than the login's own work.
 */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** What one takes beside its request and account elsewhere, which others may make long. */
const CHARACTERS_BESIDE = 1_000;

/** Of a host that serves its realms alone: a login needs no write before its last page. */
export class MemoryShelf implements AuthenticationShelf {
  readonly #sessions: LRUCache<string, HostAuthenticationSession>;
  /** In which tab of a browser the authentication session for a pushed request is. */
  readonly #pushed = new Map<string, string>();
  /** How many authentication sessions each browser has. */
  readonly #tabs = new Map<string, number>();
  /** The key of each by its realm and tab, whatever its browser. */
  readonly #keys = new Map<string, string>();

  constructor(clock: Clock) {
    this.#sessions = new LRUCache({
      maxSize: MOST_CHARACTERS,
      perf: clock,
      ttlResolution: 0,
      sizeCalculation: ({ request, brokered }) =>
        JSON.stringify(request).length + (JSON.stringify(brokered)?.length ?? 0) + CHARACTERS_BESIDE,
      dispose: ({ request, tabId }, key, reason) => {
        if (reason === 'set') return;
        this.#count(rootOf(key), -1);
        this.#keys.delete(placeOf(key));
        const pushed = `${rootOf(key)} ${request.pushed}`;
        if (this.#pushed.get(pushed) === tabId) this.#pushed.delete(pushed);
      },
    });
  }

  async find(_exchange: Exchange, place: AuthenticationPlace): Promise<HostAuthenticationSession | undefined> {
    return this.#sessions.get(keyOf(place));
  }

  async tabOfPushed({ realm, rootId }: BrowserPlace, pushed: string): Promise<string | undefined> {
    return this.#pushed.get(`${realm} ${rootId} ${pushed}`);
  }

  async hasOthers(place: AuthenticationPlace): Promise<boolean> {
    const key = keyOf(place);
    return (this.#tabs.get(rootOf(key)) ?? 0) > (this.#sessions.has(key) ? 1 : 0);
  }

  isLost(realm: string, tabId: string): boolean {
    const key = this.#keys.get(`${realm} ${tabId}`);
    return key === undefined || !this.#sessions.has(key);
  }

  keep({ realm }: Exchange, session: HostAuthenticationSession, ttl: number): void {
    const key = keyOf({ realm: realm.name, ...session });
    if (!this.#sessions.has(key)) this.#count(rootOf(key), 1);
    const { pushed } = session.request;
    if (pushed !== undefined) this.#pushed.set(`${rootOf(key)} ${pushed}`, session.tabId);
    this.#keys.set(placeOf(key), key);
    this.#sessions.set(key, session, { ttl });
  }

  remove({ realm }: Exchange, session: HostAuthenticationSession): void {
    this.#sessions.delete(keyOf({ realm: realm.name, ...session }));
  }

  #count(root: string, change: number): void {
    const count = (this.#tabs.get(root) ?? 0) + change;
    if (count > 0) this.#tabs.set(root, count);
    else this.#tabs.delete(root);
  }
}

function keyOf({ realm, rootId, tabId }: AuthenticationPlace): string {
  return `${realm} ${rootId} ${tabId}`;
}

/** The realm and the tab of a key. */
function placeOf(key: string): string {
  const browser = rootOf(key);
  return browser.slice(0, browser.lastIndexOf(' ')) + key.slice(browser.length);
}

/** The part of a key that all tabs of a browser share. */
function rootOf(key: string): string {
  return key.slice(0, key.lastIndexOf(' '));
}
