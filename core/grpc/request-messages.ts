interface Reader {
  readonly resolve: (result: IteratorResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The messages of a request stream, pulled one at a time: nothing more is read from the connection than the handler
 * asks for. It ends when the client has sent all, and throws when the call is over before that.
 */
export class RequestMessages implements AsyncIterableIterator<unknown> {
  readonly #pull: () => void;
  /** A message that came while it was asked for. */
  #ready: { readonly message: unknown } | undefined;
  /** One for each message that was asked for; only the first one's is being read. */
  readonly #waiting: Reader[] = [];
  #over: { error?: unknown } | undefined;

  /** @param pull asks for the next message */
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

  /** @param makeError called when somebody may still read */
  fail(makeError: () => Error): void {
    if (this.#over !== undefined) return;
    const error = makeError();
    this.#over = { error };
    this.#ready = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  next(): Promise<IteratorResult<unknown>> {
    // Most messages are there already and come, or the call ends, while they are asked for: these need no reader to wait.
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

  /** A handler that stops reading needs no more messages. */
  return(): Promise<IteratorResult<unknown>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
