import { toCrossing } from './crossing-errors.js';
import { FRAME, type Frame, WINDOW } from './frames.js';

/** Sends the items of an iterable, limited by the reader's credit. */
export class SentStream {
  readonly #id: number;
  readonly #items: AsyncIterable<unknown>;
  readonly #post: (frame: Frame) => void;
  readonly #onEnd: () => void;
  #credit = WINDOW;
  #isOver = false;
  #iterator: AsyncIterator<unknown> | undefined;
  #wake: (() => void) | undefined;

  /** @param onEnd called once, when nothing more is sent */
  constructor(id: number, items: AsyncIterable<unknown>, post: (frame: Frame) => void, onEnd: () => void) {
    this.#id = id;
    this.#items = items;
    this.#post = post;
    this.#onEnd = onEnd;
  }

  /** Adds the reader's credit. @returns false if it exceeds the limit */
  credit(items: unknown): boolean {
    if (typeof items !== 'number' || !(items > 0) || this.#credit + items > WINDOW) return false;
    this.#credit += items;
    this.#wake?.();
    return true;
  }

  /** Called when the reader stops. */
  stop(): void {
    if (this.#isOver) return;
    this.#end();
    this.#wake?.();
    this.#close();
  }

  async send(): Promise<void> {
    try {
      const iterator = this.#items[Symbol.asyncIterator]();
      this.#iterator = iterator;
      for (;;) {
        if (this.#credit === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        if (this.#isOver) return;
        const { done, value } = await iterator.next();
        if (this.#isOver) return;
        if (done === true) {
          this.#end([FRAME.END, this.#id]);
          return;
        }
        this.#credit -= 1;
        this.#post([FRAME.ITEM, this.#id, value]);
      }
    } catch (error) {
      if (this.#isOver) return;
      this.#end([FRAME.END, this.#id, toCrossing(error)]);
      this.#close();
    }
  }

  #end(frame?: Frame): void {
    this.#isOver = true;
    if (frame !== undefined) this.#post(frame);
    this.#onEnd();
  }

  /** Lets a generator run its `finally`. Its errors are ignored, as with a plugin in process. */
  #close(): void {
    Promise.resolve(this.#iterator?.return?.()).catch(() => {});
  }
}
