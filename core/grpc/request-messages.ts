interface Reader {
  readonly resolve: (result: IteratorResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The messages of a request stream, pulled one at a time: nothing is read from the connection before the handler asks
 * for it. It ends after the client's last message, and throws if the call ends before that.
 */
export class RequestMessages implements AsyncIterableIterator<unknown> {
  readonly #pull: () => void;
  /** A message that arrived synchronously while it was requested. */
  #ready: { readonly message: unknown } | undefined;
  /** One reader for each requested message; only the first one's message is being read. */
  readonly #waiting: Reader[] = [];
  #over: { error?: unknown } | undefined;

  /** @param pull requests the next message */
  constructor(pull: () => void) {
    this.#pull = pull;
  }

  push(message: unknown): void {
    const reader = this.#waiting.shift();
    if (reader === undefined) {
      this.#ready = { message };
      return;
    }
    reader.resolve({ done: false, value: message });
    if (this.#waiting.length > 0) this.#pull();
  }

  end(): void {
    this.#over ??= {};
    for (const { resolve } of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }

  /** @param makeError creates the error; called if the stream is not over */
  fail(makeError: () => Error): void {
    if (this.#over !== undefined) return;
    const error = makeError();
    this.#over = { error };
    this.#ready = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  next(): Promise<IteratorResult<unknown>> {
    // Most messages are available synchronously, or the call ends, while they are requested: then no reader has to
    // wait.
    if (this.#over === undefined && this.#waiting.length === 0) this.#pull();
    const ready = this.#ready;
    if (ready !== undefined) {
      this.#ready = undefined;
      return Promise.resolve({ done: false, value: ready.message });
    }
    if (this.#over !== undefined) {
      return this.#over.error === undefined
        ? Promise.resolve({ done: true, value: undefined })
        : Promise.reject(this.#over.error);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Called when a handler stops reading. */
  return(): Promise<IteratorResult<unknown>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
