import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostError } from '@keyhost/spi';
import { type Exchange, onBeforeSend } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { retryLater } from '../../model/retry-later.js';
import type { EntryStore } from '../../store/store.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type {
  AuthenticationSessionKey,
  AuthenticationSessionStore,
  BrowserKey,
} from './authentication-session-store.js';
import { deserializeSession, type SerializedSession, serializeSession } from './session-serialization.js';
import {
  decryptSession,
  encryptSession,
  isUnproven,
  type SessionEncryption,
  UnprovenSessionLimit,
  type UrlSession,
} from './url-session.js';

/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/authentication-sessions';
/** Lifetime of a request's lock on a session, in milliseconds: longer than any request takes. */
const LEASE_MS = 60_000;
/** How long another request of the browser waits for the lock, and its polling interval, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 40;
/** Maximum number of a browser's tabs that are searched. */
const MOST_TABS = 100;

/** The stored record. */
interface Entry {
  /** undefined if the session is over: a copy that a browser still carries is void. */
  readonly session?: SerializedSession;
  /** When the record expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The session arrived in a URL. */
  readonly isCarried?: true;
  /** The request that holds the lock, and until when. */
  readonly lease?: { readonly by: string; readonly until: number };
}

interface LockedSession {
  readonly place: AuthenticationSessionKey;
  session: HostAuthenticationSession;
  expiresAt: number;
  /** The stored text; undefined if nothing is stored yet. */
  readonly leased: string | undefined;
  readonly isCarried: boolean;
  isRemoved: boolean;
}

/**
 * Authentication sessions in the store, so that any node serves any page of a login. A request locks the session on all
 * nodes until it is answered. So two simultaneous answers are handled one after the other, as on one node, and asking
 * several nodes gives no extra guesses of a code. Changes are written once, before the response is sent.
 *
 * A session in which nothing is proven is stored only when its browser returns with an answer. Until then the URLs of
 * its page carry it; otherwise opening login pages repeatedly would fill the store. It is then adopted once, and a
 * record of that remains as long as the URL would be valid.
 */
export class SharedAuthenticationSessions implements AuthenticationSessionStore {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #seals: SessionEncryption;
  readonly #unproven = new UnprovenSessionLimit();
  /** The sessions that each request has locked, by tab. */
  readonly #held = new WeakMap<Exchange['ctx'], Map<string, LockedSession>>();

  constructor({ entries, clock, seals }: { entries: EntryStore; clock: Clock; seals: SessionEncryption }) {
    this.#entries = entries;
    this.#clock = clock;
    this.#seals = seals;
  }

  async find(
    exchange: Exchange,
    place: AuthenticationSessionKey,
    carried?: string,
  ): Promise<HostAuthenticationSession | undefined> {
    const known = this.#held.get(exchange.ctx)?.get(tabKey(place));
    if (known !== undefined) return known.isRemoved ? undefined : known.session;
    const brought = carried === undefined ? undefined : await decryptSession(this.#seals, exchange, place, carried);
    const leased = (brought && (await this.#adopt(place, brought))) ?? (await this.#lease(place));
    if (leased?.session === undefined) return undefined;
    const { session: written, expiresAt, isCarried = false } = leased;
    // As text, because the session is modified from here on.
    const held = { place, expiresAt, leased: JSON.stringify(leased), isCarried, isRemoved: false };
    const session = deserializeSession(written, place);
    this.#hold(exchange, { ...held, session });
    return session;
  }

  /** @throws HostError `authentication_busy` (503) if too many sessions are too long for a URL */
  async carried(
    exchange: Exchange,
    session: HostAuthenticationSession,
    lifespanMs: number,
  ): Promise<string | undefined> {
    const place = placeOf(exchange, session);
    const isKnown = this.#held.get(exchange.ctx)?.has(tabKey(place)) === true;
    if (isKnown || !isUnproven(session)) return undefined;
    const now = this.#clock.now();
    const sealed = await encryptSession(this.#seals, exchange, place, {
      session: serializeSession(session),
      expiresAt: now + lifespanMs,
    });
    if (sealed === undefined && !this.#unproven.allows(now)) throw busy();
    return sealed;
  }

  async tabOfPushed(browser: BrowserKey, pushed: string): Promise<string | undefined> {
    const tabs = await this.#tabs(browser);
    return tabs.find(({ session }) => session.request.pushed === pushed)?.tabId;
  }

  async hasOthers(place: AuthenticationSessionKey): Promise<boolean> {
    const tabs = await this.#tabs(place);
    return tabs.some(({ tabId }) => tabId !== place.tabId);
  }

  save(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): void {
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
  async #lease(place: AuthenticationSessionKey): Promise<Entry | undefined> {
    const key = entryKey(place);
    for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_POLL_MS) {
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
      await sleep(LOCK_POLL_MS);
    }
    throw busy();
  }

  /** Adopts a session from a URL. Only the first request succeeds; the others get undefined. */
  async #adopt(place: AuthenticationSessionKey, { session, expiresAt }: UrlSession): Promise<Entry | undefined> {
    const now = this.#clock.now();
    const entry: Entry = { session, expiresAt, isCarried: true, lease: newLease(now) };
    const isFirst = await this.#entries.claim({ ...entryKey(place), value: JSON.stringify(entry), expiresAt, now });
    return isFirst ? entry : undefined;
  }

  async #tabs({ realm, rootId }: BrowserKey): Promise<{ tabId: string; session: SerializedSession }[]> {
    const prefix = browserKey(rootId);
    const range = { realm, namespace: NAMESPACE, prefix, first: 0, max: MOST_TABS, now: this.#clock.now() };
    return (await this.#entries.list(range)).flatMap(({ key, value }) => {
      const { session } = JSON.parse(value) as Entry;
      return session === undefined ? [] : [{ tabId: key.slice(prefix.length), session }];
    });
  }

  #hold(exchange: Exchange, held: LockedSession): void {
    let all = this.#held.get(exchange.ctx);
    if (all === undefined) {
      const made = new Map<string, LockedSession>();
      all = made;
      this.#held.set(exchange.ctx, made);
      onBeforeSend(exchange, () => this.#writeBack([...made.values()]));
    }
    all.set(tabKey(held.place), held);
  }

  /** @throws HostError `authentication_busy` (503) if this request took too long and another one holds the lock */
  async #writeBack(all: readonly LockedSession[]): Promise<void> {
    const now = this.#clock.now();
    await Promise.all(
      all.map(async ({ place, session, expiresAt, leased, isCarried, isRemoved }) => {
        const key = entryKey(place);
        if (leased === undefined) {
          const value = JSON.stringify({ session: serializeSession(session), expiresAt } satisfies Entry);
          if (!isRemoved) await this.#entries.put({ ...key, value, expiresAt });
          return;
        }
        if (isRemoved && !isCarried) return this.#entries.delete(key);
        const entry: Entry = {
          ...(!isRemoved && { session: serializeSession(session) }),
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
  return retryLater('authentication_busy', 'Another request of this login is in progress. Try again.', 1);
}

function placeOf({ realm }: Exchange, { rootId, tabId }: HostAuthenticationSession): AuthenticationSessionKey {
  return { realm: realm.name, rootId, tabId };
}

/** The key within one request, which has a single realm. */
function tabKey({ rootId, tabId }: AuthenticationSessionKey): string {
  return `${rootId} ${tabId}`;
}

/** The cookie's value proves the browser, so it is stored hashed. */
function browserKey(rootId: string): string {
  return `${hash('sha256', rootId, 'base64url')} `;
}

function entryKey({ realm, rootId, tabId }: AuthenticationSessionKey) {
  return { realm, namespace: NAMESPACE, key: `${browserKey(rootId)}${tabId}` };
}
