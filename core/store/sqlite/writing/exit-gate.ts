const NATIVE = 0;
const EXITING = 1;

/** How long the end of the process waits for the thread, in milliseconds. A group of writes takes a few. */
const MAX_WAIT_MS = 1000;

/**
 * Lets the process end only while the writer thread runs JavaScript. If Node ends a thread inside SQLite's native code,
 * the addon throws where no one can catch it, and the process ends by SIGABRT instead of with its exit code.
 */
export class ExitGate {
  /** Shared between the two threads. */
  readonly memory: SharedArrayBuffer;
  readonly #flags: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#flags = new Int32Array(memory);
  }

  /** The writer thread runs `work` in here. It does not return, nor begin, once the process ends. */
  run<T>(work: () => T): T {
    // Each side sets its own flag before it reads the other's. So at least one of the two sees the other.
    Atomics.store(this.#flags, NATIVE, 1);
    if (Atomics.load(this.#flags, EXITING) === 1) this.#park();
    try {
      return work();
    } finally {
      Atomics.store(this.#flags, NATIVE, 0);
      Atomics.notify(this.#flags, NATIVE);
      if (Atomics.load(this.#flags, EXITING) === 1) this.#park();
    }
  }

  /** The main thread calls this as the process ends. It blocks until the writer thread is in no native code. */
  close(): void {
    Atomics.store(this.#flags, EXITING, 1);
    Atomics.wait(this.#flags, NATIVE, 1, MAX_WAIT_MS);
  }

  /** Waits to be ended by Node. */
  #park(): never {
    Atomics.store(this.#flags, NATIVE, 0);
    Atomics.notify(this.#flags, NATIVE);
    for (;;) Atomics.wait(this.#flags, EXITING, 1);
  }
}
