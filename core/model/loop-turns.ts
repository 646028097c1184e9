import type { HostError } from '@keyhost/spi';
import { retryLater } from './retry-later.js';

/** Realms that begin a piece of work in one round of the event loop. */
const REALMS_A_ROUND = 2;
/** Most pieces of work of one realm that wait. */
const MOST_WAITING = 2000;

/**
 * Shares the main thread among realms for CPU-bound work: reading, converting and writing long lists. A realm begins
 * one piece in each round of the event loop, however many of its requests have one. Requests of other realms, which do
 * not wait here, run after each piece. A caller holds no lock while it waits, so callers never block each other.
 */
export class LoopTurns {
  /** Waiting pieces by realm; the realm that waits longest for its turn is first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #begun = new Set<string>();
  readonly #nextRound: (round: () => void) => void;
  #isScheduled = false;

  /** @param nextRound calls back in the next round of the event loop; `setImmediate` without it */
  constructor(nextRound: (round: () => void) => void = (round) => void setImmediate(round)) {
    this.#nextRound = nextRound;
  }

  /**
   * Resolves when a piece of the realm's work may begin: immediately if the realm has begun none in this round. A piece
   * may take a few milliseconds.
   * @throws HostError `temporarily_unavailable` (503, with Retry-After), as a rejection, if 2,000 pieces of the realm
   * are waiting
   */
  waitForTurn(realm: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(realm);
    if (waiting === undefined && !this.#begun.has(realm) && this.#begun.size < REALMS_A_ROUND) {
      this.#begin(realm);
      return undefined;
    }
    if (waiting !== undefined && waiting.length >= MOST_WAITING) return Promise.reject(tooManyWait());
    return new Promise((resolve) => {
      if (waiting === undefined) this.#waiting.set(realm, [resolve]);
      else waiting.push(resolve);
    });
  }

  #begin(realm: string): void {
    this.#begun.add(realm);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextRound(() => this.#round());
  }

  #round(): void {
    this.#isScheduled = false;
    this.#begun.clear();
    for (const [realm, waiting] of [...this.#waiting].slice(0, REALMS_A_ROUND)) {
      this.#waiting.delete(realm);
      const next = waiting.shift();
      if (waiting.length > 0) this.#waiting.set(realm, waiting);
      this.#begin(realm);
      next?.();
    }
  }
}

function tooManyWait(): HostError {
  return retryLater('temporarily_unavailable', 'too many requests of the realm are waiting, try again later', 1);
}

/** Turns of this thread: all hosts of a process share it. */
const turns = new LoopTurns();

/** Waits until the realm may begin a piece of work; see `LoopTurns.take`. */
export function realmTurn(realm: string): Promise<void> | undefined {
  return turns.waitForTurn(realm);
}
