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
/** How long a concurrent request of the same browser waits for the lock, and its polling interval, in milliseconds. */
const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 40;
/** Maximum number of a browser's sessions that one search reads. */
const MAX_TABS = 100;

/** The record of a session in the store. */
interface StoredEntry {
  /** Undefined if the session is over. The copy in a browser's URL is then void. */
  readonly session?: SerializedSession;
  /** When the record expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** True if the session arrived in a URL. */
  readonly isCarried?: true;
  /** The lock: which request holds it, and until when. */
  readonly lease?: { readonly by: string; readonly until: number };
}

interface LockedSession {
  readonly key: AuthenticationSessionKey;
  session: HostAuthenticationSession;
  expiresAt: number;
  /** The stored text; undefined if nothing is stored yet. */
  readonly storedText: string | undefined;
  readonly isCarried: boolean;
  isRemoved: boolean;
}

/**
 * Authentication sessions in the store, so that every node can serve every page of a login. A request locks its session
 * on all nodes until it is answered. So two simultaneous answers are handled one after the other, as on one node. An
 * attacker gains no additional guesses of a code by using several nodes. Changes are written once, before the response
 * is sent.
 *
 * A session in which nothing is proven is stored only when its browser returns with an answer. Until then the URLs of
 * its page contain it; otherwise opening login pages repeatedly would fill the store. The first answer moves it to the
 * store. Its record remains there as long as the URL would be valid, so that the URL works only once.
 */
export class SharedAuthenticationSessions implements AuthenticationSessionStore {
  readonly #entries: EntryStore;
  readonly #clock: Clock;
  readonly #encryption: SessionEncryption;
  readonly #unproven = new UnprovenSessionLimit();
  /** The sessions that each request has locked, by tab key. */
  readonly #lockedSessions = new WeakMap<Exchange['ctx'], Map<string, LockedSession>>();

  constructor({ entries, clock, encryption }: { entries: EntryStore; clock: Clock; encryption: SessionEncryption }) {
    this.#entries = entries;
    this.#clock = clock;
    this.#encryption = encryption;
  }

  async find(
    exchange: Exchange,
    key: AuthenticationSessionKey,
    encryptedSession?: string,
  ): Promise<HostAuthenticationSession | undefined> {
    const locked = this.#lockedSessions.get(exchange.ctx)?.get(tabKey(key));
    if (locked !== undefined) return locked.isRemoved ? undefined : locked.session;
    const urlSession =
      encryptedSession === undefined
        ? undefined
        : await decryptSession(this.#encryption, exchange, key, encryptedSession);
    const entry = (urlSession && (await this.#adopt(key, urlSession))) ?? (await this.#acquireLock(key));
    if (entry?.session === undefined) return undefined;
    const { session: stored, expiresAt, isCarried = false } = entry;
    // As text, because the request modifies the session from here on.
    const lock = { key, expiresAt, storedText: JSON.stringify(entry), isCarried, isRemoved: false };
    const session = deserializeSession(stored, key);
    this.#rememberLock(exchange, { ...lock, session });
    return session;
  }

  /** @throws HostError `authentication_busy` (503) if too many sessions are too long for a URL */
  async encryptForUrl(
    exchange: Exchange,
    session: HostAuthenticationSession,
    lifespanMs: number,
  ): Promise<string | undefined> {
    const key = sessionKeyOf(exchange, session);
    const isLocked = this.#lockedSessions.get(exchange.ctx)?.has(tabKey(key)) === true;
    if (isLocked || !isUnproven(session)) return undefined;
    const now = this.#clock.now();
    const encrypted = await encryptSession(this.#encryption, exchange, key, {
      session: serializeSession(session),
      expiresAt: now + lifespanMs,
    });
    if (encrypted === undefined && !this.#unproven.countSession(now)) throw loginBusyError();
    return encrypted;
  }

  async tabOfPushed(browser: BrowserKey, pushed: string): Promise<string | undefined> {
    const tabs = await this.#listTabs(browser);
    return tabs.find(({ session }) => session.request.pushed === pushed)?.tabId;
  }

  async hasOthers(key: AuthenticationSessionKey): Promise<boolean> {
    const tabs = await this.#listTabs(key);
    return tabs.some(({ tabId }) => tabId !== key.tabId);
  }

  save(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): void {
    const key = sessionKeyOf(exchange, session);
    const expiresAt = this.#clock.now() + lifespanMs;
    const locked = this.#lockedSessions.get(exchange.ctx)?.get(tabKey(key));
    if (locked === undefined) {
      this.#rememberLock(exchange, {
        key,
        session,
        expiresAt,
        storedText: undefined,
        isCarried: false,
        isRemoved: false,
      });
      return;
    }
    Object.assign(locked, { session, expiresAt, isRemoved: false });
  }

  remove(exchange: Exchange, session: HostAuthenticationSession): void {
    const locked = this.#lockedSessions.get(exchange.ctx)?.get(tabKey(sessionKeyOf(exchange, session)));
    if (locked !== undefined) locked.isRemoved = true;
  }

  /**
   * Reads a session and locks it.
   * @throws HostError `authentication_busy` (503)
   */
  async #acquireLock(sessionKey: AuthenticationSessionKey): Promise<StoredEntry | undefined> {
    const key = entryKey(sessionKey);
    for (let waited = 0; waited < LOCK_WAIT_MS; waited += LOCK_POLL_MS) {
      const now = this.#clock.now();
      const text = await this.#entries.get({ ...key, now });
      if (text === undefined) return undefined;
      const entry = JSON.parse(text) as StoredEntry;
      if (entry.session === undefined) return undefined;
      if (entry.lease === undefined || entry.lease.until <= now) {
        const leased: StoredEntry = { ...entry, lease: newLease(now) };
        const { expiresAt } = entry;
        const value = JSON.stringify(leased);
        if (await this.#entries.replace({ ...key, expected: text, value, expiresAt, now })) return leased;
      }
      await sleep(LOCK_POLL_MS);
    }
    throw loginBusyError();
  }

  /** Stores a session from a URL and locks it. Only the first request succeeds; later ones get undefined. */
  async #adopt(
    sessionKey: AuthenticationSessionKey,
    { session, expiresAt }: UrlSession,
  ): Promise<StoredEntry | undefined> {
    const now = this.#clock.now();
    const entry: StoredEntry = { session, expiresAt, isCarried: true, lease: newLease(now) };
    const isFirst = await this.#entries.claim({
      ...entryKey(sessionKey),
      value: JSON.stringify(entry),
      expiresAt,
      now,
    });
    return isFirst ? entry : undefined;
  }

  async #listTabs({ realm, rootId }: BrowserKey): Promise<{ tabId: string; session: SerializedSession }[]> {
    const prefix = keyPrefixOf(rootId);
    const range = { realm, namespace: NAMESPACE, prefix, first: 0, max: MAX_TABS, now: this.#clock.now() };
    return (await this.#entries.list(range)).flatMap(({ key, value }) => {
      const { session } = JSON.parse(value) as StoredEntry;
      return session === undefined ? [] : [{ tabId: key.slice(prefix.length), session }];
    });
  }

  #rememberLock(exchange: Exchange, locked: LockedSession): void {
    let lockedByTab = this.#lockedSessions.get(exchange.ctx);
    if (lockedByTab === undefined) {
      const created = new Map<string, LockedSession>();
      lockedByTab = created;
      this.#lockedSessions.set(exchange.ctx, created);
      onBeforeSend(exchange, () => this.#writeBack([...created.values()]));
    }
    lockedByTab.set(tabKey(locked.key), locked);
  }

  /**
   * Writes the changes of a request, and releases its locks.
   * @throws HostError `authentication_busy` (503) if the request took too long, and another request holds the lock now
   */
  async #writeBack(lockedSessions: readonly LockedSession[]): Promise<void> {
    const now = this.#clock.now();
    await Promise.all(
      lockedSessions.map(async ({ key: sessionKey, session, expiresAt, storedText, isCarried, isRemoved }) => {
        const key = entryKey(sessionKey);
        if (storedText === undefined) {
          const value = JSON.stringify({ session: serializeSession(session), expiresAt } satisfies StoredEntry);
          if (!isRemoved) await this.#entries.put({ ...key, value, expiresAt });
          return;
        }
        if (isRemoved && !isCarried) return this.#entries.delete(key);
        const entry: StoredEntry = {
          ...(!isRemoved && { session: serializeSession(session) }),
          ...(isCarried && { isCarried }),
          expiresAt,
        };
        const value = JSON.stringify(entry);
        if (!(await this.#entries.replace({ ...key, expected: storedText, value, expiresAt, now })))
          throw loginBusyError();
      }),
    );
  }
}

function newLease(now: number): { by: string; until: number } {
  return { by: randomToken(8), until: now + LEASE_MS };
}

function loginBusyError(): HostError {
  return retryLater('authentication_busy', 'Another request of this login is in progress. Try again.', 1);
}

function sessionKeyOf({ realm }: Exchange, { rootId, tabId }: HostAuthenticationSession): AuthenticationSessionKey {
  return { realm: realm.name, rootId, tabId };
}

/** The key of a session within one request, which has only one realm. */
function tabKey({ rootId, tabId }: AuthenticationSessionKey): string {
  return `${rootId} ${tabId}`;
}

/** The cookie's value authenticates the browser, so only its hash is stored. */
function keyPrefixOf(rootId: string): string {
  return `${hash('sha256', rootId, 'base64url')} `;
}

function entryKey({ realm, rootId, tabId }: AuthenticationSessionKey) {
  return { realm, namespace: NAMESPACE, key: `${keyPrefixOf(rootId)}${tabId}` };
}
