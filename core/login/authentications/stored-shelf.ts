import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostError } from '@keyhost/spi';
import { atEnd, type Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { EntryStore } from '../../store/store.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import {
  type CarriedSession,
  isUnproven,
  openedSession,
  type Seals,
  sealedSession,
  UnprovenSessions,
} from './carried-session.js';
import { readSession, type WrittenSession, writtenSession } from './session-text.js';
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
  /** undefined: it is over, and what a browser still carries of it is worth nothing. */
  readonly session?: WrittenSession;
  /** When it is forgotten, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** A browser has brought it here. */
  readonly isCarried?: true;
  /** The request that has it, and until when. */
  readonly lease?: { readonly by: string; readonly until: number };
}

interface Held {
  readonly place: AuthenticationPlace;
  session: HostAuthenticationSession;
  expiresAt: number;
  /** What stands in the store; undefined: nothing yet. */
  readonly leased: string | undefined;
  readonly isCarried: boolean;
  isRemoved: boolean;
}

/**
 * In the store, so that any node serves any page of a login. A request that finds an authentication session has it to
 * itself, on all nodes, until it is answered: two that bring the same answer at once are heard one after the other, as on
 * one node, and a code that may be guessed three times is not guessed more often by asking several nodes. What has changed
 * is written once, before the answer goes out.
 *
 * One in which nobody has proven anything is not here before its browser comes back with an answer: until then the addresses of
 * its page carry it, or whoever opens login pages again and again would fill the store. It is then taken up once, and a
 * line stays for it as long as the browser could bring it again.
 */
export class StoredShelf implements AuthenticationShelf {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #seals: Seals;
  readonly #unproven = new UnprovenSessions();
  /** What each request under way has, by tab. */
  readonly #held = new WeakMap<Exchange['ctx'], Map<string, Held>>();

  constructor({ entries, clock, seals }: { entries: EntryStore; clock: Clock; seals: Seals }) {
    this.#entries = entries;
    this.#clock = clock;
    this.#seals = seals;
  }

  async find(
    exchange: Exchange,
    place: AuthenticationPlace,
    carried?: string,
  ): Promise<HostAuthenticationSession | undefined> {
    const known = this.#held.get(exchange.ctx)?.get(tabKey(place));
    if (known !== undefined) return known.isRemoved ? undefined : known.session;
    const brought = carried === undefined ? undefined : await openedSession(this.#seals, exchange, place, carried);
    const leased = (brought && (await this.#takeUp(place, brought))) ?? (await this.#lease(place));
    if (leased?.session === undefined) return undefined;
    const { session: written, expiresAt, isCarried = false } = leased;
    // As a text: the session is changed from here on.
    const held = { place, expiresAt, leased: JSON.stringify(leased), isCarried, isRemoved: false };
    const session = readSession(written, place);
    this.#hold(exchange, { ...held, session });
    return session;
  }

  /** @throws HostError `authentication_busy` (503) when too many are too large to be carried */
  async carried(
    exchange: Exchange,
    session: HostAuthenticationSession,
    lifespanMs: number,
  ): Promise<string | undefined> {
    const place = placeOf(exchange, session);
    const isKnown = this.#held.get(exchange.ctx)?.has(tabKey(place)) === true;
    if (isKnown || !isUnproven(session)) return undefined;
    const now = this.#clock.now();
    const sealed = await sealedSession(this.#seals, exchange, place, {
      session: writtenSession(session),
      expiresAt: now + lifespanMs,
    });
    if (sealed === undefined && !this.#unproven.mayBeKept(now)) throw busy();
    return sealed;
  }

  async tabOfPushed(browser: BrowserPlace, pushed: string): Promise<string | undefined> {
    const tabs = await this.#tabs(browser);
    return tabs.find(({ session }) => session.request.pushed === pushed)?.tabId;
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
      this.#hold(exchange, { place, session, expiresAt, leased: undefined, isCarried: false, isRemoved: false });
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
      if (entry.session === undefined) return undefined;
      if (entry.lease === undefined || entry.lease.until <= now) {
        const leased: Entry = { ...entry, lease: newLease(now) };
        const { expiresAt } = entry;
        const value = JSON.stringify(leased);
        if (await this.#entries.replace({ ...key, expected: text, value, expiresAt, now })) return leased;
      }
      await sleep(LOOK_EVERY_MS);
    }
    throw busy();
  }

  /** Of those who bring it one gets it: undefined for all others. */
  async #takeUp(place: AuthenticationPlace, { session, expiresAt }: CarriedSession): Promise<Entry | undefined> {
    const now = this.#clock.now();
    const entry: Entry = { session, expiresAt, isCarried: true, lease: newLease(now) };
    const isFirst = await this.#entries.claim({ ...entryKey(place), value: JSON.stringify(entry), expiresAt, now });
    return isFirst ? entry : undefined;
  }

  async #tabs({ realm, rootId }: BrowserPlace): Promise<{ tabId: string; session: WrittenSession }[]> {
    const prefix = browserKey(rootId);
    const range = { realm, namespace: NAMESPACE, prefix, first: 0, max: MOST_TABS, now: this.#clock.now() };
    return (await this.#entries.list(range)).flatMap(({ key, value }) => {
      const { session } = JSON.parse(value) as Entry;
      return session === undefined ? [] : [{ tabId: key.slice(prefix.length), session }];
    });
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
      all.map(async ({ place, session, expiresAt, leased, isCarried, isRemoved }) => {
        const key = entryKey(place);
        if (leased === undefined) {
          const value = JSON.stringify({ session: writtenSession(session), expiresAt } satisfies Entry);
          if (!isRemoved) await this.#entries.put({ ...key, value, expiresAt });
          return;
        }
        if (isRemoved && !isCarried) return this.#entries.delete(key);
        const entry: Entry = {
          ...(!isRemoved && { session: writtenSession(session) }),
          ...(isCarried && { isCarried }),
          expiresAt,
        };
        const value = JSON.stringify(entry);
        if (!(await this.#entries.replace({ ...key, expected: leased, value, expiresAt, now }))) throw busy();
      }),
    );
  }
}

function newLease(now: number): { by: string; until: number } {
  return { by: randomToken(8), until: now + LEASE_MS };
}

function busy(): HostError {
  return new HostError('authentication_busy', 'Another request of this login is in progress. Try again.', {
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
