import { storeUnavailable } from '../engine/store-error.js';
import { LIMITS } from './limits.js';
import { sqlState } from './postgresql-error.js';
import type { Session } from './session.js';

/** Interval of the check for callers that wait too long, in milliseconds. */
const WATCH_MS = 500;
/** Callers beyond this number are refused immediately: the database cannot keep up. */
const MOST_WAITING = 2_000;

interface Waiter {
  readonly since: number;
  readonly resolve: (session: Session) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A pool of connections, opened on demand and replaced if they are lost. While the server is unreachable no caller
 * waits: all are refused immediately, and the pool tries to connect until the server is back.
 */
export class Pool {
  readonly #connect: () => Promise<Session>;
  readonly #size: number;
  readonly #idle: Session[] = [];
  readonly #leased = new Set<Session>();
  #connecting = 0;
  #waiters: Waiter[] = [];
  #unreachable: { readonly reason: string; readonly cause: unknown } | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #watch: NodeJS.Timeout;
  #isAsking = false;
  #isClosed = false;
  #closed: (() => void) | undefined;

  /** @param connect makes a connection that is ready for use */
  constructor(connect: () => Promise<Session>, size: number) {
    this.#connect = connect;
    this.#size = size;
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    this.#watch.unref();
  }

  /** @throws HostError `store_unavailable` (503) */
  lease(): Promise<Session> {
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      if (session.isBroken) continue;
      this.#leased.add(session);
      return Promise.resolve(session);
    }
    if (this.#isClosed) return Promise.reject(storeUnavailable('it is closed'));
    if (this.#unreachable !== undefined)
      return Promise.reject(storeUnavailable(this.#unreachable.reason, this.#unreachable.cause));
    if (this.#waiters.length >= MOST_WAITING)
      return Promise.reject(storeUnavailable('too many requests are waiting for it'));
    return new Promise((resolve, reject) => {
      this.#waiters.push({ since: performance.now(), resolve, reject });
      this.#grow();
    });
  }

  /** Gives a connection back. */
  release(session: Session): void {
    this.#leased.delete(session);
    if (!session.isBroken) this.#offer(session);
    else if (this.#waiters.length > 0) this.#grow();
    this.#checkClosed();
  }

  /** Resolves when all connections are given back and ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#refuseAll(storeUnavailable('it is closed'));
    if (this.#leased.size > 0 || this.#connecting > 0) {
      await new Promise<void>((resolve) => {
        this.#closed = resolve;
      });
    }
    clearInterval(this.#watch);
    await Promise.all(this.#idle.splice(0).map((session) => session.end()));
  }

  #offer(session: Session): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#idle.push(session);
    else {
      this.#leased.add(session);
      waiter.resolve(session);
    }
  }

  /** Opens another connection if more callers wait than connections are being opened. */
  #grow(): void {
    if (this.#isClosed || this.#connecting >= this.#waiters.length) return;
    if (this.#leased.size + this.#connecting >= this.#size) return;
    this.#open();
  }

  #open(): void {
    this.#connecting += 1;
    this.#connect().then(
      (session) => {
        this.#connecting -= 1;
        this.#unreachable = undefined;
        this.#offer(session);
        this.#grow();
        this.#checkClosed();
      },
      (cause: unknown) => {
        this.#connecting -= 1;
        this.#markUnreachable(cause);
        this.#checkClosed();
      },
    );
  }

  /**
   * The server is unreachable, or refuses this connection: waiting callers get the error.
   * @param isSilent existing connections get no answer either
   */
  #markUnreachable(cause: unknown, isSilent = false): void {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // While some connections work, only the additional one was refused, as by the server's own limit.
    if (this.#leased.size === 0 || isSilent) {
      this.#unreachable = { reason, cause };
      this.#refuseAll(storeUnavailable(reason, cause));
    }
    if (this.#isClosed || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      if (this.#connecting === 0 && (this.#unreachable !== undefined || this.#waiters.length > 0)) this.#open();
    }, LIMITS.retry);
    this.#retry.unref();
  }

  /** Checks whether the server responds at all, on a new connection: the others may wait for a long statement. */
  #probeServer(): void {
    if (this.#isAsking || this.#unreachable !== undefined) return;
    this.#isAsking = true;
    this.#connect()
      .then(
        (session) => session.end(),
        (cause: unknown) => {
          // One that refuses this connection is there.
          if (sqlState(cause) === undefined) this.#markUnreachable(cause, true);
        },
      )
      .finally(() => {
        this.#isAsking = false;
      });
  }

  /** Closes a connection that gets no answer. The idle ones may be broken too, and each would cost a timeout. */
  #closeSilent(session: Session): void {
    session.destroy('the server does not respond');
    for (const idle of this.#idle.splice(0)) idle.destroy('the connection may be broken');
  }

  #refuseAll(error: unknown): void {
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  #look(): void {
    const now = performance.now();
    for (const session of this.#leased) {
      const silence = now - (session.waitingSince ?? now);
      const limit = session.mayTakeLong ? LIMITS.longStatement : LIMITS.statement;
      if (silence > limit + LIMITS.answer || (this.#unreachable !== undefined && silence > LIMITS.silence))
        this.#closeSilent(session);
      else if (silence > LIMITS.silence) this.#probeServer();
    }
    const late = this.#waiters.filter(({ since }) => now - since > LIMITS.turn);
    if (late.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !late.includes(waiter));
    for (const { reject } of late) reject(storeUnavailable('all its connections are in use'));
  }

  #checkClosed(): void {
    if (this.#leased.size === 0 && this.#connecting === 0) this.#closed?.();
  }
}
