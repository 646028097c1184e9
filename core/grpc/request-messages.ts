/**
 * The messages of a request stream, pulled one at a time: nothing more is read from the connection than the handler
 * asks for. It ends when the client has sent all, and throws when the call is over before that.
 */
export class RequestMessages implements AsyncIterableIterator<unknown> {
  readonly #pull: () => void;
  readonly #ready: unknown[] = [];
  #waiting: { resolve: (result: IteratorResult<unknown>) => void; reject: (error: unknown) => void } | undefined;
  #over: { error?: unknown } | undefined;

  /** @param pull asks for the next message */
  constructor(pull: () => void) {
    this.#pull = pull;
  }

  push(message: unknown): void {
    const waiting = this.#waiting;
    if (waiting === undefined) {
      this.#ready.push(message);
      return;
    }
    this.#waiting = undefined;
    waiting.resolve({ done: false, value: message });
  }

  end(): void {
    this.#over ??= {};
    this.#waiting?.resolve({ done: true, value: undefined });
    this.#waiting = undefined;
  }

  /** @param makeError called when somebody may still read */
  fail(makeError: () => Error): void {
    if (this.#over !== undefined) return;
    const error = makeError();
    this.#over = { error };
    this.#ready.length = 0;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#ready.length > 0) return Promise.resolve({ done: false, value: this.#ready.shift() });
    if (this.#over !== undefined) {
      return this.#over.error === undefined
        ? Promise.resolve({ done: true, value: undefined })
        : Promise.reject(this.#over.error);
    }
    // A message that has come already is given at once.
    this.#pull();
    if (this.#ready.length > 0) return Promise.resolve({ done: false, value: this.#ready.shift() });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** A handler that stops reading needs no more messages. */
  return(): Promise<IteratorResult<unknown>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
