interface Reader {
  readonly resolve: (result: IteratorResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The messages of a request stream. A message is only read from the connection when the handler asks for it. The
 * iteration ends after the client's last message, and throws if the call ends before that.
 */
export class RequestMessages implements AsyncIterableIterator<unknown> {
  readonly #requestNext: () => void;
  /** A message that arrived synchronously while it was requested. */
  #readyMessage: { readonly message: unknown } | undefined;
  /** The readers that wait, one for each message. Only the message of the first one was requested. */
  readonly #waitingReaders: Reader[] = [];
  #endState: { error?: unknown } | undefined;

  /** @param requestNext requests the next message */
  constructor(requestNext: () => void) {
    this.#requestNext = requestNext;
  }

  push(message: unknown): void {
    const reader = this.#waitingReaders.shift();
    if (reader === undefined) {
      this.#readyMessage = { message };
      return;
    }
    reader.resolve({ done: false, value: message });
    if (this.#waitingReaders.length > 0) this.#requestNext();
  }

  end(): void {
    this.#endState ??= {};
    for (const { resolve } of this.#waitingReaders.splice(0)) resolve({ done: true, value: undefined });
  }

  /**
   * Ends the stream with an error, unless it has already ended.
   * @param makeError creates the error
   */
  fail(makeError: () => Error): void {
    if (this.#endState !== undefined) return;
    const error = makeError();
    this.#endState = { error };
    this.#readyMessage = undefined;
    for (const { reject } of this.#waitingReaders.splice(0)) reject(error);
  }

  next(): Promise<IteratorResult<unknown>> {
    // While a message is requested, it usually arrives, or the call ends, synchronously. Then no reader has to wait.
    if (this.#endState === undefined && this.#waitingReaders.length === 0) this.#requestNext();
    const readyMessage = this.#readyMessage;
    if (readyMessage !== undefined) {
      this.#readyMessage = undefined;
      return Promise.resolve({ done: false, value: readyMessage.message });
    }
    if (this.#endState !== undefined) {
      return this.#endState.error === undefined
        ? Promise.resolve({ done: true, value: undefined })
        : Promise.reject(this.#endState.error);
    }
    return new Promise((resolve, reject) => {
      this.#waitingReaders.push({ resolve, reject });
    });
  }

  /** Called when the handler stops reading. */
  return(): Promise<IteratorResult<unknown>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
