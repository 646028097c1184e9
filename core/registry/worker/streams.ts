import { FRAME, type Frame } from './frames.js';
import { ReadStream } from './read-stream.js';
import { SentStream } from './sent-stream.js';
import { deserializeError } from './serialized-errors.js';

/** The streams that one end of a port sends and reads, by their IDs. */
export class Streams {
  readonly #post: (frame: Frame) => void;
  readonly #sentStreams = new Map<number, SentStream>();
  readonly #readStreams = new Map<number, ReadStream>();

  constructor(post: (frame: Frame) => void) {
    this.#post = post;
  }

  /** @param onEnd called once, when no more items are sent */
  send(id: number, items: AsyncIterable<unknown>, onEnd?: () => void): void {
    const removeStream = () => {
      this.#sentStreams.delete(id);
      onEnd?.();
    };
    const stream = new SentStream(id, items, this.#post, removeStream);
    this.#sentStreams.set(id, stream);
    void stream.send();
  }

  read(id: number): ReadStream {
    const stream = new ReadStream(id, this.#post, () => this.#readStreams.delete(id));
    this.#readStreams.set(id, stream);
    return stream;
  }

  /**
   * Handles a frame that belongs to a stream. It drops items for a reader that has stopped, and credit for a stream
   * that has ended.
   * @returns undefined for a frame of another kind; false for an invalid one
   */
  handle([kind, id, content]: Frame): boolean | undefined {
    switch (kind) {
      case FRAME.ITEM:
        return this.#readStreams.get(id)?.push(content) ?? true;
      case FRAME.END:
        this.#readStreams.get(id)?.end(content === undefined ? {} : { error: deserializeError(content) });
        return true;
      case FRAME.CREDIT:
        return this.#sentStreams.get(id)?.addCredit(content) ?? true;
      case FRAME.STOP:
        this.#sentStreams.get(id)?.stop();
        return true;
      default:
        return undefined;
    }
  }

  close(error: unknown): void {
    for (const stream of [...this.#readStreams.values()]) stream.fail(error);
    for (const stream of [...this.#sentStreams.values()]) stream.stop();
  }
}

export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
