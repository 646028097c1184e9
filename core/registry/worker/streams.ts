import { fromCrossing } from './crossing-errors.js';
import { FRAME, type Frame } from './frames.js';
import { ReadStream } from './read-stream.js';
import { SentStream } from './sent-stream.js';

/** The streams that one end of a port sends and reads, by their IDs. */
export class Streams {
  readonly #post: (frame: Frame) => void;
  readonly #sent = new Map<number, SentStream>();
  readonly #read = new Map<number, ReadStream>();

  constructor(post: (frame: Frame) => void) {
    this.#post = post;
  }

  /** @param onEnd called once, when nothing more of it is sent */
  send(id: number, items: AsyncIterable<unknown>, onEnd?: () => void): void {
    const ended = () => {
      this.#sent.delete(id);
      onEnd?.();
    };
    const stream = new SentStream(id, items, this.#post, ended);
    this.#sent.set(id, stream);
    void stream.send();
  }

  read(id: number): ReadStream {
    const stream = new ReadStream(id, this.#post, () => this.#read.delete(id));
    this.#read.set(id, stream);
    return stream;
  }

  /**
   * Receives a frame of a stream. Items for a reader that has stopped are dropped, and so is credit for a stream that
   * has ended.
   * @returns undefined for a frame of another kind; false for an invalid one
   */
  take([kind, id, content]: Frame): boolean | undefined {
    switch (kind) {
      case FRAME.ITEM:
        return this.#read.get(id)?.push(content) ?? true;
      case FRAME.END:
        this.#read.get(id)?.end(content === undefined ? {} : { error: fromCrossing(content) });
        return true;
      case FRAME.CREDIT:
        return this.#sent.get(id)?.credit(content) ?? true;
      case FRAME.STOP:
        this.#sent.get(id)?.stop();
        return true;
      default:
        return undefined;
    }
  }

  close(error: unknown): void {
    for (const stream of [...this.#read.values()]) stream.fail(error);
    for (const stream of [...this.#sent.values()]) stream.stop();
  }
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
