import { toCrossing } from './crossing-errors.js';
import { FRAME, type Frame, WINDOW } from './frames.js';

/** Sends the items of an iterable, never more ahead than the reader has asked for. */
export class SentStream {
  readonly #id: number;
  readonly #items: AsyncIterable<unknown>;
  readonly #post: (frame: Frame) => void;
  readonly #onEnd: () => void;
  #credit = WINDOW;
  #isOver = false;
  #iterator: AsyncIterator<unknown> | undefined;
  #wake: (() => void) | undefined;

  /** @param onEnd called once, when nothing more will be sent */
  constructor(id: number, items: AsyncIterable<unknown>, post: (frame: Frame) => void, onEnd: () => void) {
    this.#id = id;
    this.#items = items;
    this.#post = post;
    this.#onEnd = onEnd;
  }

  /** The reader asks for more items. @returns false when that is more than a reader may ask for */
  credit(items: unknown): boolean {
    if (typeof items !== 'number' || !(items > 0) || this.#credit + items > WINDOW) return false;
    this.#credit += items;
    this.#wake?.();
    return true;
  }

  /** The reader wants no more. */
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

  /** Lets a generator run its `finally`. Nobody hears what it throws then; the same holds for a plugin in the process. */
  #close(): void {
    Promise.resolve(this.#iterator?.return?.()).catch(() => {});
  }
}
