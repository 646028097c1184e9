const NATIVE_FLAG = 0;
const EXITING_FLAG = 1;

/** How long the end of the process waits for the writer thread, in milliseconds. A group of writes takes only a few. */
const MAX_WAIT_MS = 1000;

/**
 * Lets the process end only while the writer thread runs JavaScript. If Node ends a thread inside the native code of
 * SQLite, the addon throws an error that cannot be caught. The process then ends by SIGABRT, without its exit code.
 */
export class ExitGate {
  /** The memory that the two threads share. */
  readonly memory: SharedArrayBuffer;
  readonly #flags: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#flags = new Int32Array(memory);
  }

  /** Runs `work` in the writer thread. Once the process ends, it does not begin, or does not return. */
  run<T>(work: () => T): T {
    // Each side sets its own flag before it reads the other's. So at least one of the two sees the other.
    Atomics.store(this.#flags, NATIVE_FLAG, 1);
    if (Atomics.load(this.#flags, EXITING_FLAG) === 1) this.#waitForever();
    try {
      return work();
    } finally {
      Atomics.store(this.#flags, NATIVE_FLAG, 0);
      Atomics.notify(this.#flags, NATIVE_FLAG);
      if (Atomics.load(this.#flags, EXITING_FLAG) === 1) this.#waitForever();
    }
  }

  /** Called by the main thread when the process ends. It blocks until the writer thread is outside native code. */
  close(): void {
    Atomics.store(this.#flags, EXITING_FLAG, 1);
    Atomics.wait(this.#flags, NATIVE_FLAG, 1, MAX_WAIT_MS);
  }

  /** Waits until Node ends the thread. */
  #waitForever(): never {
    Atomics.store(this.#flags, NATIVE_FLAG, 0);
    Atomics.notify(this.#flags, NATIVE_FLAG);
    for (;;) Atomics.wait(this.#flags, EXITING_FLAG, 1);
  }
}
