import { FRAME, type Frame, WINDOW } from './frames.js';
import { serializeError } from './serialized-errors.js';

/** Sends the items of an iterable, as far as the reader has granted credit. */
export class SentStream {
  readonly #id: number;
  readonly #items: AsyncIterable<unknown>;
  readonly #post: (frame: Frame) => void;
  readonly #onEnd: () => void;
  #credit = WINDOW;
  #hasEnded = false;
  #iterator: AsyncIterator<unknown> | undefined;
  #resume: (() => void) | undefined;

  /** @param onEnd called once, when no more items are sent */
  constructor(id: number, items: AsyncIterable<unknown>, post: (frame: Frame) => void, onEnd: () => void) {
    this.#id = id;
    this.#items = items;
    this.#post = post;
    this.#onEnd = onEnd;
  }

  /**
   * Adds credit that the reader has granted.
   * @returns false if it exceeds the limit
   */
  addCredit(items: unknown): boolean {
    if (typeof items !== 'number' || !(items > 0) || this.#credit + items > WINDOW) return false;
    this.#credit += items;
    this.#resume?.();
    return true;
  }

  /** Called when the reader stops reading. */
  stop(): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#resume?.();
    this.#close();
  }

  async send(): Promise<void> {
    try {
      const iterator = this.#items[Symbol.asyncIterator]();
      this.#iterator = iterator;
      for (;;) {
        if (this.#credit === 0) await new Promise<void>((resolve) => (this.#resume = resolve));
        if (this.#hasEnded) return;
        const { done, value } = await iterator.next();
        if (this.#hasEnded) return;
        if (done === true) {
          this.#end([FRAME.END, this.#id]);
          return;
        }
        this.#credit -= 1;
        this.#post([FRAME.ITEM, this.#id, value]);
      }
    } catch (error) {
      if (this.#hasEnded) return;
      this.#end([FRAME.END, this.#id, serializeError(error)]);
      this.#close();
    }
  }

  #end(frame?: Frame): void {
    this.#hasEnded = true;
    if (frame !== undefined) this.#post(frame);
    this.#onEnd();
  }

  /** Makes a generator run its `finally` blocks. Their errors are ignored, as for a plugin in process. */
  #close(): void {
    Promise.resolve(this.#iterator?.return?.()).catch(() => {});
  }
}
