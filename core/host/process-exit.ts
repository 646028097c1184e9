import { constants } from 'node:os';

const STOPS = ['SIGTERM', 'SIGINT'] as const;
type Stop = (typeof STOPS)[number] | 'SIGHUP';
/**
 * A terminal and the npm that it runs both signal the process, one right after the other. Signals within this time
 * count as one. Milliseconds.
 */
const SAME_MS = 1_000;

/** Ends this process, also if plugins interfere. */
export class ProcessExit {
  #stuckThreads = 0;
  #end: (code: number) => never = (code) => process.exit(code);
  #stop: (signal: Stop) => void = (signal) => this.#atOnce(signal);
  #before = () => {};

  #tell: ((report: string) => Promise<void>) | undefined;

  /**
   * Installs handlers early: as the first process of a container, it would ignore a signal that arrives during the
   * start.
   */
  installSignalHandlers(): void {
    for (const signal of STOPS) process.on(signal, () => this.#stop(signal));
  }

  /**
   * Sets the handler of SIGTERM and SIGINT. A second signal, unless it belongs to the first, ends the process at once.
   */
  onStop(stop: (signal: Stop) => void): void {
    this.#stop = (signal) => {
      const at = performance.now();
      this.#stop = (another) => {
        if (performance.now() - at > SAME_MS) this.#atOnce(another);
      };
      stop(signal);
    };
  }

  /** Ignores the signals: the parent process gets them too, and tells this one when to stop. */
  ignoreSignals(): void {
    this.#stop = () => {};
  }

  /**
   * Sets the work to do before a signal ends the process at once.
   * @param more signals to handle too, until undone: nohup sets SIGHUP to be ignored, so it is not handled by default
   * @returns a function that undoes it
   */
  before(work: () => void, more: readonly Stop[] = []): () => void {
    const before = this.#before;
    const stop = (signal: Stop) => this.#stop(signal);
    this.#before = work;
    for (const signal of more) process.on(signal, stop);
    return () => {
      this.#before = before;
      for (const signal of more) process.off(signal, stop);
    };
  }

  /** Sets the number of threads that are stuck in native code. */
  setStuckThreads(threads: number): void {
    this.#stuckThreads = threads;
  }

  /** Sets the real exit function. Plugins' calls of `process.exit` are intercepted. */
  setExit(end: (code: number) => never): void {
    this.#end = end;
  }

  /** Sets the receiver of the failure report; undefined: standard error. */
  reportTo(tell: ((report: string) => Promise<void>) | undefined): void {
    this.#tell = tell;
  }

  /** Reports the failure, and exits. @param report for a person */
  failed(report: string): void {
    if (this.#tell === undefined) {
      process.stderr.write(`${report}\n`);
      this.now(1);
    } else void this.#tell(report).finally(() => this.now(1));
  }

  /** Node waits for its threads, possibly forever for one in native code. Only a signal ends the process then. */
  now(code: number): void {
    if (this.#stuckThreads > 0) process.kill(process.pid, 'SIGKILL');
    else this.#end(code);
  }

  #atOnce(signal: Stop): void {
    this.#before();
    this.now(128 + constants.signals[signal]);
  }
}
