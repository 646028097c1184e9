import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostError } from '@keyhost/spi';
import { atEnd, type Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { EntryStore } from '../../store/store.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { readSession, writtenSession } from './session-text.js';
import type { AuthenticationPlace, AuthenticationShelf, BrowserPlace } from './shelf.js';

/** The namespace in the store; no plugin's name has a slash in front. */
const NAMESPACE = '/authentication-sessions';
/** So long a request has an authentication session to itself, in milliseconds: longer than any request takes. */
const LEASE_MS = 60_000;
/** So long another request of the same browser waits for it, and how often it looks, in milliseconds. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 40;
/** Tabs of a browser that are looked through. */
const MOST_TABS = 100;

/** What stands in the store. */
interface Entry {
  readonly session: ReturnType<typeof writtenSession>;
  /** When it is forgotten, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The request that has it, and until when. */
  readonly lease?: { readonly by: string; readonly until: number };
}

interface Held {
  readonly place: AuthenticationPlace;
  session: HostAuthenticationSession;
  expiresAt: number;
  /** What stands in the store; undefined: nothing yet. */
  readonly leased: string | undefined;
  isRemoved: boolean;
}

/**
 * In the store, so that any node serves any page of a login. A request that finds an authentication session has it to
 * itself, on all nodes, until it is answered: two that bring the same answer at once are heard one after the other, as on
 * one node, and a code that may be guessed three times is not guessed more often by asking several nodes. What has changed
 * is written once, before the answer goes out.
 */
export class StoredShelf implements AuthenticationShelf {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  /** What each request under way has, by tab. */
  readonly #held = new WeakMap<Exchange['ctx'], Map<string, Held>>();

  constructor({ entries, clock }: { entries: EntryStore; clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  async find(exchange: Exchange, place: AuthenticationPlace): Promise<HostAuthenticationSession | undefined> {
    const known = this.#held.get(exchange.ctx)?.get(tabKey(place));
    if (known !== undefined) return known.isRemoved ? undefined : known.session;
    const leased = await this.#lease(place);
    if (leased === undefined) return undefined;
    const { session: written, expiresAt } = leased;
    const session = readSession(written, place);
    this.#hold(exchange, { place, session, expiresAt, leased: JSON.stringify(leased), isRemoved: false });
    return session;
  }

  async tabOfPushed(browser: BrowserPlace, pushed: string): Promise<string | undefined> {
    const tabs = await this.#tabs(browser);
    return tabs.find(({ entry }) => entry.session.request.pushed === pushed)?.tabId;
  }

  async hasOthers(place: AuthenticationPlace): Promise<boolean> {
    const tabs = await this.#tabs(place);
    return tabs.some(({ tabId }) => tabId !== place.tabId);
  }

  keep(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): void {
    const place = placeOf(exchange, session);
    const expiresAt = this.#clock.now() + lifespanMs;
    const known = this.#held.get(exchange.ctx)?.get(tabKey(place));
    if (known === undefined) {
      this.#hold(exchange, { place, session, expiresAt, leased: undefined, isRemoved: false });
      return;
    }
    Object.assign(known, { session, expiresAt, isRemoved: false });
  }

  remove(exchange: Exchange, session: HostAuthenticationSession): void {
    const known = this.#held.get(exchange.ctx)?.get(tabKey(placeOf(exchange, session)));
    if (known !== undefined) known.isRemoved = true;
  }

  /** @throws HostError `authentication_busy` (503) */
  async #lease(place: AuthenticationPlace): Promise<Entry | undefined> {
    const key = entryKey(place);
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_EVERY_MS) {
      const now = this.#clock.now();
      const text = await this.#entries.get({ ...key, now });
      if (text === undefined) return undefined;
      const entry = JSON.parse(text) as Entry;
      if (entry.lease === undefined || entry.lease.until <= now) {
        const leased: Entry = { ...entry, lease: { by: randomToken(8), until: now + LEASE_MS } };
        const { expiresAt } = entry;
        const value = JSON.stringify(leased);
        if (await this.#entries.replace({ ...key, expected: text, value, expiresAt, now })) return leased;
      }
      await sleep(LOOK_EVERY_MS);
    }
    throw busy();
  }

  async #tabs({ realm, rootId }: BrowserPlace): Promise<{ tabId: string; entry: Entry }[]> {
    const prefix = browserKey(rootId);
    const range = { realm, namespace: NAMESPACE, prefix, first: 0, max: MOST_TABS, now: this.#clock.now() };
    return (await this.#entries.list(range)).map(({ key, value }) => ({
      tabId: key.slice(prefix.length),
      entry: JSON.parse(value) as Entry,
    }));
  }

  #hold(exchange: Exchange, held: Held): void {
    let all = this.#held.get(exchange.ctx);
    if (all === undefined) {
      const made = new Map<string, Held>();
      all = made;
      this.#held.set(exchange.ctx, made);
      atEnd(exchange, () => this.#putBack([...made.values()]));
    }
    all.set(tabKey(held.place), held);
  }

  /** @throws HostError `authentication_busy` (503) when another request has taken it, this one having taken too long */
  async #putBack(all: readonly Held[]): Promise<void> {
    const now = this.#clock.now();
    await Promise.all(
      all.map(async ({ place, session, expiresAt, leased, isRemoved }) => {
        const key = entryKey(place);
        if (isRemoved) {
          if (leased !== undefined) await this.#entries.delete(key);
          return;
        }
        const value = JSON.stringify({ session: writtenSession(session), expiresAt } satisfies Entry);
        if (leased === undefined) await this.#entries.put({ ...key, value, expiresAt });
        else if (!(await this.#entries.replace({ ...key, expected: leased, value, expiresAt, now }))) throw busy();
      }),
    );
  }
}

function busy(): HostError {
  return new HostError('authentication_busy', 'Another request of this login is under way: try again', {
    status: 503,
    expose: true,
    headers: { 'retry-after': '1' },
  });
}

function placeOf({ realm }: Exchange, { rootId, tabId }: HostAuthenticationSession): AuthenticationPlace {
  return { realm: realm.name, rootId, tabId };
}

/** Within one request the realm is one. */
function tabKey({ rootId, tabId }: AuthenticationPlace): string {
  return `${rootId} ${tabId}`;
}

/** The cookie's value is proof of being the browser: it is stored hashed. */
function browserKey(rootId: string): string {
  return `${hash('sha256', rootId, 'base64url')} `;
}

function entryKey({ realm, rootId, tabId }: AuthenticationPlace) {
  return { realm, namespace: NAMESPACE, key: `${browserKey(rootId)}${tabId}` };
}
