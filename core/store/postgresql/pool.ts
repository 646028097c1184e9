import { messageOf } from '../../model/thrown.js';
import { storeUnavailableError } from '../engine/store-error.js';
import { LIMITS } from './limits.js';
import { sqlState } from './postgresql-error.js';
import type { Session } from './session.js';
import { Timelines } from './timelines.js';

/** How often the pool checks for callers that wait too long, in milliseconds. */
const CHECK_INTERVAL_MS = 500;
/** Maximum number of waiting callers. Further ones are rejected at once, because the database cannot keep up. */
const MAX_WAITERS = 2_000;

interface Waiter {
  readonly since: number;
  readonly resolve: (session: Session) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A pool of connections, which are opened on demand, and replaced if they are lost. While the server is unreachable,
 * all callers are rejected at once, and the pool tries to connect until the server is back.
 */
export class Pool {
  readonly #connect: () => Promise<Session>;
  readonly #size: number;
  readonly #timelines: Timelines;
  readonly #explain: (cause: unknown) => string;
  readonly #idleSessions: Session[] = [];
  readonly #leasedSessions = new Set<Session>();
  #openingCount = 0;
  #waiters: Waiter[] = [];
  #unreachable: { readonly reason: string; readonly cause: unknown } | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #checkTimer: NodeJS.Timeout;
  #isProbing = false;
  #isClosed = false;
  #onClosed: (() => void) | undefined;

  /**
   * @param connect opens a connection that is ready for use
   * @param options.timelines those that `connect` checks
   * @param options.explain returns the reason for callers if no connection can be opened
   */
  constructor(
    connect: () => Promise<Session>,
    size: number,
    {
      timelines = new Timelines(),
      explain = messageOf,
    }: { readonly timelines?: Timelines; readonly explain?: (cause: unknown) => string } = {},
  ) {
    this.#explain = explain;
    this.#connect = async () => {
      const session = await connect();
      this.#closeOutdated();
      return session;
    };
    this.#size = size;
    this.#timelines = timelines;
    this.#checkTimer = setInterval(() => this.#checkTimeouts(), CHECK_INTERVAL_MS);
    this.#checkTimer.unref();
  }

  /**
   * Returns a free connection, or waits for one.
   * @throws HostError `store_unavailable` (503)
   */
  lease(): Promise<Session> {
    for (let session = this.#idleSessions.pop(); session !== undefined; session = this.#idleSessions.pop()) {
      if (session.isBroken) continue;
      this.#leasedSessions.add(session);
      return Promise.resolve(session);
    }
    if (this.#isClosed) return Promise.reject(storeUnavailableError('it is closed'));
    if (this.#unreachable !== undefined)
      return Promise.reject(storeUnavailableError(this.#unreachable.reason, this.#unreachable.cause));
    if (this.#waiters.length >= MAX_WAITERS)
      return Promise.reject(storeUnavailableError('too many requests are waiting for it'));
    return new Promise((resolve, reject) => {
      this.#waiters.push({ since: performance.now(), resolve, reject });
      this.#openIfNeeded();
    });
  }

  /** Returns a connection to the pool. */
  release(session: Session): void {
    this.#leasedSessions.delete(session);
    if (!session.isBroken) this.#passOn(session);
    else if (this.#waiters.length > 0) this.#openIfNeeded();
    this.#checkClosed();
  }

  /** Resolves when all connections were released and closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#rejectWaiters(storeUnavailableError('it is closed'));
    if (this.#leasedSessions.size > 0 || this.#openingCount > 0) {
      await new Promise<void>((resolve) => {
        this.#onClosed = resolve;
      });
    }
    clearInterval(this.#checkTimer);
    await Promise.all(this.#idleSessions.splice(0).map((session) => session.end()));
  }

  #passOn(session: Session): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#idleSessions.push(session);
    else {
      this.#leasedSessions.add(session);
      waiter.resolve(session);
    }
  }

  /** Opens another connection if more callers wait than connections are being opened. */
  #openIfNeeded(): void {
    if (this.#isClosed || this.#openingCount >= this.#waiters.length) return;
    if (this.#leasedSessions.size + this.#openingCount >= this.#size) return;
    this.#open();
  }

  #open(): void {
    this.#openingCount += 1;
    this.#connect().then(
      (session) => {
        this.#openingCount -= 1;
        this.#unreachable = undefined;
        this.#passOn(session);
        this.#openIfNeeded();
        this.#checkClosed();
      },
      (cause: unknown) => {
        this.#openingCount -= 1;
        this.#markUnreachable(cause);
        this.#checkClosed();
      },
    );
  }

  /**
   * Handles a failed connection attempt: the server is unreachable, or rejects this connection. Waiting callers get the
   * error.
   * @param isSilent true if existing connections get no answer either
   */
  #markUnreachable(cause: unknown, isSilent = false): void {
    const reason = this.#explain(cause);
    // While some connections work, the server has only rejected this one, for example because of its own limit.
    if (this.#leasedSessions.size === 0 || isSilent) {
      this.#unreachable = { reason, cause };
      this.#rejectWaiters(storeUnavailableError(reason, cause));
    }
    if (this.#isClosed || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      if (this.#openingCount === 0 && (this.#unreachable !== undefined || this.#waiters.length > 0)) this.#open();
    }, LIMITS.retry);
    this.#retry.unref();
  }

  /**
   * Checks on a new connection whether the server responds at all, because the others may wait for a long statement.
   */
  #probeServer(): void {
    if (this.#isProbing || this.#unreachable !== undefined) return;
    this.#isProbing = true;
    this.#connect()
      .then(
        (session) => session.end(),
        (cause: unknown) => {
          // A server that rejects this connection is reachable.
          if (sqlState(cause) === undefined) this.#markUnreachable(cause, true);
        },
      )
      .finally(() => {
        this.#isProbing = false;
      });
  }

  /**
   * Closes a connection that gets no answer. The idle connections are closed too: they may also be broken, and each
   * would cost a timeout.
   */
  #closeSilent(session: Session): void {
    session.destroy('the server does not respond');
    for (const idleSession of this.#idleSessions.splice(0)) idleSession.destroy('the connection may be broken');
  }

  /**
   * Closes connections to a former primary. Otherwise callers would wait for its answers until a timeout, or would get
   * answers that are no longer true.
   */
  #closeOutdated(): void {
    for (const session of [...this.#idleSessions, ...this.#leasedSessions])
      if (this.#timelines.isOutdated(session)) session.destroy('another server has become the primary');
  }

  #rejectWaiters(error: unknown): void {
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  #checkTimeouts(): void {
    const now = performance.now();
    for (const session of this.#leasedSessions) {
      const silence = now - (session.waitingSince ?? now);
      const limit = session.mayTakeLong ? LIMITS.longStatement : LIMITS.statement;
      if (silence > limit + LIMITS.answer || (this.#unreachable !== undefined && silence > LIMITS.silence))
        this.#closeSilent(session);
      else if (silence > LIMITS.silence) this.#probeServer();
    }
    const overdue = this.#waiters.filter(({ since }) => now - since > LIMITS.turn);
    if (overdue.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !overdue.includes(waiter));
    for (const { reject } of overdue) reject(storeUnavailableError('all its connections are in use'));
  }

  #checkClosed(): void {
    if (this.#leasedSessions.size === 0 && this.#openingCount === 0) this.#onClosed?.();
  }
}
