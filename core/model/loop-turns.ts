import type { HostError } from '@keyhost/spi';
import { retryLater } from './retry-later.js';

/** Number of realms that may start a piece of work in one round of the event loop. */
const REALMS_PER_ROUND = 2;
/** Maximum number of waiting pieces of work per realm. */
const MAX_WAITING = 2000;

/**
 * Shares the main thread among realms for pieces of CPU-bound work, such as parsing and serializing long lists. A realm
 * starts at most one piece in each round of the event loop, even if many of its requests wait. Between rounds, requests
 * without such work can run. Callers hold no locks while they wait, so they never block each other.
 */
export class LoopTurns {
  /** Waiting pieces by realm. The realm that has waited longest is first. */
  readonly #waitersByRealm = new Map<string, (() => void)[]>();
  readonly #servedRealms = new Set<string>();
  readonly #nextRound: (round: () => void) => void;
  #isScheduled = false;

  /** @param nextRound calls back in the next round of the event loop; `setImmediate` by default */
  constructor(nextRound: (round: () => void) => void = (round) => void setImmediate(round)) {
    this.#nextRound = nextRound;
  }

  /**
   * Resolves when a piece of the realm's work may begin. Undefined if it may begin now. A piece may take a few
   * milliseconds.
   * @throws HostError `temporarily_unavailable` (503, with Retry-After), as a rejection, if 2,000 pieces of the realm
   * are waiting
   */
  waitForTurn(realm: string): Promise<void> | undefined {
    const waiting = this.#waitersByRealm.get(realm);
    if (waiting === undefined && !this.#servedRealms.has(realm) && this.#servedRealms.size < REALMS_PER_ROUND) {
      this.#begin(realm);
      return undefined;
    }
    if (waiting !== undefined && waiting.length >= MAX_WAITING) return Promise.reject(queueFullError());
    return new Promise((resolve) => {
      if (waiting === undefined) this.#waitersByRealm.set(realm, [resolve]);
      else waiting.push(resolve);
    });
  }

  #begin(realm: string): void {
    this.#servedRealms.add(realm);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextRound(() => this.#runRound());
  }

  #runRound(): void {
    this.#isScheduled = false;
    this.#servedRealms.clear();
    for (const [realm, waiting] of [...this.#waitersByRealm].slice(0, REALMS_PER_ROUND)) {
      this.#waitersByRealm.delete(realm);
      const next = waiting.shift();
      if (waiting.length > 0) this.#waitersByRealm.set(realm, waiting);
      this.#begin(realm);
      next?.();
    }
  }
}

function queueFullError(): HostError {
  return retryLater('temporarily_unavailable', 'too many requests of the realm are waiting, try again later', 1);
}

/** Shared by all hosts of this thread. */
const turns = new LoopTurns();

/** Waits until the realm may start a piece of work; see `LoopTurns.waitForTurn`. */
export function waitForRealmTurn(realm: string): Promise<void> | undefined {
  return turns.waitForTurn(realm);
}
