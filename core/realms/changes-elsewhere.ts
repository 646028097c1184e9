import type { Logger } from '@keyhost/spi';
import type { FetchedKeys } from '../keys/fetched-keys.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Store } from '../store/store.js';
import type { Realms } from './realms.js';

/** How often a node asks what others have changed, in milliseconds: a change has reached all nodes within a second. */
const ASK_EVERY_MS = 500;
/** A node that has heard nothing for so long is not ready any more, in milliseconds. */
const LATE_MS = 3_000;
/** A node that has heard nothing for so long serves no realm until it hears again, in milliseconds. */
const DEAF_MS = 30_000;

/**
 * What other nodes change: realms, with everything that is configured in them, and their keys. Asked for again and again,
 * which every database can answer; what has changed is forgotten here, and read by the next request that needs it.
 */
export class ChangesElsewhere {
  readonly #store: Store;
  readonly #realms: Realms;
  readonly #keys: KeyRing;
  readonly #fetched: FetchedKeys | undefined;
  readonly #logger: Logger;
  #revision = 0;
  readonly #elapsed: () => number;
  #heardAt = 0;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #told = false;

  /** @param parts.elapsed milliseconds by a clock that never jumps */
  constructor(parts: {
    store: Store;
    realms: Realms;
    keys: KeyRing;
    fetched?: FetchedKeys;
    logger: Logger;
    elapsed?: () => number;
  }) {
    this.#fetched = parts.fetched;
    this.#elapsed = parts.elapsed ?? (() => performance.now());
    this.#store = parts.store;
    this.#realms = parts.realms;
    this.#keys = parts.keys;
    this.#logger = parts.logger;
  }

  /** From now on no change is missed. Without other nodes there is nothing to hear. */
  async open(): Promise<void> {
    if (!this.#store.isShared) return;
    this.#revision = await this.#store.changes.revision();
    this.#heardAt = this.#elapsed();
    this.#timer = setInterval(() => void this.hear(), ASK_EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#asking;
  }

  /** False when changes of other nodes may be unknown here. */
  get isHearing(): boolean {
    return (this.silence ?? 0) < LATE_MS;
  }

  /** For how long nothing was heard, in milliseconds; undefined where there is nothing to hear. */
  get silence(): number | undefined {
    return this.#timer === undefined ? undefined : this.#elapsed() - this.#heardAt;
  }

  /** Resolves when what others changed before is known. */
  hear(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /**
   * Resolves when all that others changed before this call is known, or cannot be read. Without other nodes it does nothing. It costs a
   * query, so it is for whoever must read what they have just written at another node.
   */
  async catchUp(): Promise<void> {
    if (this.#timer === undefined) return;
    // What is being asked may have been answered before this call.
    await this.#asking;
    await this.hear();
  }

  async #ask(): Promise<void> {
    const asked = this.#elapsed();
    try {
      const { revision, realms } = await this.#store.changes.since(this.#revision);
      for (const { realm, version } of realms) this.#forget(realm, version);
      this.#revision = revision;
      this.#heardAt = asked;
      if (this.#told) this.#logger.info('reading the changes of other nodes works again');
      this.#told = false;
      this.#realms.isSuspended = false;
    } catch (error) {
      const late = this.#elapsed() - this.#heardAt;
      if (late > LATE_MS && !this.#told) {
        this.#told = true;
        const seconds = DEAF_MS / 1000;
        const then = `after ${seconds} seconds this node stops serving its realms`;
        this.#logger.error(`cannot read the changes of other nodes: ${then}`, { reason: String(error) });
      }
      this.#realms.isSuspended = late > DEAF_MS;
    }
  }

  #forget(name: string, version: number | undefined): void {
    if (this.#fetched?.heard(name) === true) return;
    if (version === undefined) {
      this.#keys.forget(name);
      this.#realms.removed(name);
      return;
    }
    this.#keys.invalidate(name);
    // What this node itself changed it knows already.
    if (this.#realms.knownVersion(name) !== version) this.#realms.changed(name);
  }
}
