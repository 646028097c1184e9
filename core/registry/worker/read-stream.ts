import { FRAME, type Frame, WINDOW } from './frames.js';

interface Waiting {
  readonly resolve: (result: IteratorResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** The items of a stream from the other end, requested as they are read. */
export class ReadStream implements AsyncIterableIterator<unknown> {
  readonly #id: number;
  readonly #post: (frame: Frame) => void;
  readonly #onEnd: () => void;
  readonly #items: unknown[] = [];
  readonly #waiting: Waiting[] = [];
  /** Number of items that the sender may still send. */
  #expected = WINDOW;
  /** Number of items that were read since the last request for more. */
  #read = 0;
  #over: { readonly error?: unknown } | undefined;

  /** @param onEnd called once, when no more items arrive or are read */
  constructor(id: number, post: (frame: Frame) => void, onEnd: () => void) {
    this.#id = id;
    this.#post = post;
    this.#onEnd = onEnd;
  }

  /** Receives an item. @returns false if it was not requested */
  push(item: unknown): boolean {
    this.#expected -= 1;
    if (this.#over !== undefined) return true;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#items.push(item);
    else {
      this.#ask();
      waiting.resolve({ done: false, value: item });
    }
    return this.#expected >= 0;
  }

  /** Called after the last item of the other end. Items that have arrived can still be read. */
  end(over: { readonly error?: unknown }): void {
    if (this.#over !== undefined) return;
    this.#over = over;
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if ('error' in over) reject(over.error);
      else resolve({ done: true, value: undefined });
    }
    this.#onEnd();
  }

  /** Called when the call is over: nothing more is read. @returns false if the stream had ended before */
  fail(error: unknown): boolean {
    if (this.#over !== undefined) return false;
    this.#post([FRAME.STOP, this.#id]);
    this.#items.length = 0;
    this.end({ error });
    return true;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#items.length > 0) {
      const value = this.#items.shift();
      this.#ask();
      return Promise.resolve({ done: false, value });
    }
    if (this.#over === undefined) {
      return new Promise((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
      });
    }
    return 'error' in this.#over ? Promise.reject(this.#over.error) : Promise.resolve({ done: true, value: undefined });
  }

  return(): Promise<IteratorResult<unknown>> {
    if (this.#over === undefined) this.#post([FRAME.STOP, this.#id]);
    this.#items.length = 0;
    this.end({});
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #ask(): void {
    this.#read += 1;
    if (this.#read < WINDOW / 2 || this.#over !== undefined) return;
    this.#expected += this.#read;
    this.#post([FRAME.CREDIT, this.#id, this.#read]);
    this.#read = 0;
  }
}
