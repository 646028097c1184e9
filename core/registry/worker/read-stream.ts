import { FRAME, type Frame, WINDOW } from './frames.js';

interface WaitingReader {
  readonly resolve: (result: IteratorResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads the items of a stream from the other end, and grants the sender credit for more as they are read. */
export class ReadStream implements AsyncIterableIterator<unknown> {
  readonly #id: number;
  readonly #post: (frame: Frame) => void;
  readonly #onEnd: () => void;
  readonly #items: unknown[] = [];
  readonly #waitingReaders: WaitingReader[] = [];
  /** The number of items that the sender may still send. */
  #remainingCredit = WINDOW;
  /** The number of items that were read since credit was last granted. */
  #readSinceCredit = 0;
  #endState: { readonly error?: unknown } | undefined;

  /** @param onEnd called once, when no more items arrive */
  constructor(id: number, post: (frame: Frame) => void, onEnd: () => void) {
    this.#id = id;
    this.#post = post;
    this.#onEnd = onEnd;
  }

  /**
   * Receives an item.
   * @returns false if the sender had no credit for it
   */
  push(item: unknown): boolean {
    this.#remainingCredit -= 1;
    if (this.#endState !== undefined) return true;
    const reader = this.#waitingReaders.shift();
    if (reader === undefined) this.#items.push(item);
    else {
      this.#grantCredit();
      reader.resolve({ done: false, value: item });
    }
    return this.#remainingCredit >= 0;
  }

  /** Called after the last item has arrived. Items that were received can still be read. */
  end(endState: { readonly error?: unknown }): void {
    if (this.#endState !== undefined) return;
    this.#endState = endState;
    for (const { resolve, reject } of this.#waitingReaders.splice(0)) {
      if ('error' in endState) reject(endState.error);
      else resolve({ done: true, value: undefined });
    }
    this.#onEnd();
  }

  /**
   * Called when the call is aborted: unread items are dropped.
   * @returns false if the stream had already ended
   */
  fail(error: unknown): boolean {
    if (this.#endState !== undefined) return false;
    this.#post([FRAME.STOP, this.#id]);
    this.#items.length = 0;
    this.end({ error });
    return true;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#items.length > 0) {
      const value = this.#items.shift();
      this.#grantCredit();
      return Promise.resolve({ done: false, value });
    }
    if (this.#endState === undefined) {
      return new Promise((resolve, reject) => {
        this.#waitingReaders.push({ resolve, reject });
      });
    }
    return 'error' in this.#endState
      ? Promise.reject(this.#endState.error)
      : Promise.resolve({ done: true, value: undefined });
  }

  return(): Promise<IteratorResult<unknown>> {
    if (this.#endState === undefined) this.#post([FRAME.STOP, this.#id]);
    this.#items.length = 0;
    this.end({});
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #grantCredit(): void {
    this.#readSinceCredit += 1;
    if (this.#readSinceCredit < WINDOW / 2 || this.#endState !== undefined) return;
    this.#remainingCredit += this.#readSinceCredit;
    this.#post([FRAME.CREDIT, this.#id, this.#readSinceCredit]);
    this.#readSinceCredit = 0;
  }
}
