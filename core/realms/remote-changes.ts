import type { Logger } from '@keyhost/spi';
import type { FetchedKeyGenerations } from '../keys/fetched-keys.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Store } from '../store/store.js';
import type { Realms } from './realms.js';

/** How often a node reads the changes of others, in milliseconds. A change reaches all nodes within a second. */
const POLL_INTERVAL_MS = 500;
/** After this many milliseconds without an answer of the store, the node is not ready. */
const NOT_READY_AFTER_MS = 3_000;
/** After this many milliseconds without an answer of the store, the node serves no realm until the next answer. */
const SUSPEND_AFTER_MS = 30_000;

/**
 * Watches changes by other nodes: of realms, with everything that is configured in them, and of their keys. It polls,
 * which every database supports. Changed realms are evicted here, and the next request that needs one reads it.
 */
export class RemoteChanges {
  readonly #parts: {
    store: Store;
    realms: Realms;
    keys: KeyRing;
    fetched?: FetchedKeyGenerations;
    logger: Logger;
    elapsed?: () => number;
  };
  #revision = 0;
  readonly #elapsed: () => number;
  #lastAnswerAt = 0;
  #activePoll: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailureLogged = false;

  /** @param parts.elapsed returns milliseconds of a monotonic clock */
  constructor(parts: {
    store: Store;
    realms: Realms;
    keys: KeyRing;
    fetched?: FetchedKeyGenerations;
    logger: Logger;
    elapsed?: () => number;
  }) {
    this.#parts = parts;
    this.#elapsed = parts.elapsed ?? (() => performance.now());
  }

  /** Starts polling. It does nothing without other nodes. */
  async open(): Promise<void> {
    if (!this.#parts.store.isShared) return;
    this.#revision = await this.#parts.store.changes.revision();
    this.#lastAnswerAt = this.#elapsed();
    this.#timer = setInterval(() => void this.poll(), POLL_INTERVAL_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#activePoll;
  }

  /** False if this node may not have seen changes of others. */
  get isUpToDate(): boolean {
    return (this.silenceMs ?? 0) < NOT_READY_AFTER_MS;
  }

  /** Milliseconds since the last answer of the store; undefined without other nodes. */
  get silenceMs(): number | undefined {
    return this.#timer === undefined ? undefined : this.#elapsed() - this.#lastAnswerAt;
  }

  /** Resolves when this node has read the changes of others. */
  poll(): Promise<void> {
    this.#activePoll ??= this.#readChanges().finally(() => {
      this.#activePoll = undefined;
    });
    return this.#activePoll;
  }

  /**
   * Resolves when this node has seen all earlier changes of others, or cannot read them. Without other nodes it does
   * nothing. It costs a query, so it is only for callers that must read their own writes from another node.
   */
  async catchUp(): Promise<void> {
    if (this.#timer === undefined) return;
    // The store may have answered the active query before this call.
    await this.#activePoll;
    await this.poll();
  }

  async #readChanges(): Promise<void> {
    const startedAt = this.#elapsed();
    try {
      const { revision, realms } = await this.#parts.store.changes.since(this.#revision);
      for (const { realm, version } of realms) this.#handleChange(realm, version);
      this.#revision = revision;
      this.#lastAnswerAt = startedAt;
      if (this.#isFailureLogged) this.#parts.logger.info('reading the changes of other nodes works again');
      this.#isFailureLogged = false;
      this.#parts.realms.isSuspended = false;
    } catch (error) {
      const silenceMs = this.#elapsed() - this.#lastAnswerAt;
      if (silenceMs > NOT_READY_AFTER_MS && !this.#isFailureLogged) {
        this.#isFailureLogged = true;
        const seconds = SUSPEND_AFTER_MS / 1000;
        const then = `after ${seconds} seconds this node stops serving its realms`;
        this.#parts.logger.error(`cannot read the changes of other nodes: ${then}`, { reason: String(error) });
      }
      this.#parts.realms.isSuspended = silenceMs > SUSPEND_AFTER_MS;
    }
  }

  #handleChange(name: string, version: number | undefined): void {
    if (this.#parts.fetched?.handleChange(name) === true) return;
    if (version === undefined) {
      this.#parts.keys.forget(name);
      this.#parts.realms.evictRemoved(name);
      return;
    }
    this.#parts.keys.invalidate(name);
    // This node has seen its own changes already.
    if (this.#parts.realms.knownVersion(name) !== version) this.#parts.realms.invalidate(name);
  }
}
