import { constants } from 'node:os';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type StopSignal = (typeof STOP_SIGNALS)[number] | 'SIGHUP';
/**
 * Signals within this time, in milliseconds, count as one: a terminal and the npm in it both signal the process, one
 * right after the other.
 */
const SAME_SIGNAL_MS = 1_000;

/** Ends this process, even if a plugin has replaced `process.exit` or a thread cannot be stopped. */
export class ProcessExit {
  #stuckThreads = 0;
  #exit: (code: number) => never = (code) => process.exit(code);
  #handleSignal: (signal: StopSignal) => void = (signal) => this.#exitAtOnce(signal);
  #beforeExit = () => {};

  #report: ((report: string) => Promise<void>) | undefined;

  /**
   * Installs the signal handlers early. As the first process of a container, the process would otherwise ignore a
   * signal that arrives while it starts.
   */
  installSignalHandlers(): void {
    for (const signal of STOP_SIGNALS) process.on(signal, () => this.#handleSignal(signal));
  }

  /**
   * Sets the handler of SIGTERM and SIGINT. A second signal ends the process at once, unless it counts as the same one.
   */
  onStop(handler: (signal: StopSignal) => void): void {
    this.#handleSignal = (signal) => {
      const firstAt = performance.now();
      this.#handleSignal = (secondSignal) => {
        if (performance.now() - firstAt > SAME_SIGNAL_MS) this.#exitAtOnce(secondSignal);
      };
      handler(signal);
    };
  }

  /** Ignores the signals. The parent process gets them too, and sends this one a message when it must stop. */
  ignoreSignals(): void {
    this.#handleSignal = () => {};
  }

  /**
   * Sets a function to call before a signal ends the process at once.
   * @param moreSignals further signals to handle until then. SIGHUP is not handled by default, because nohup makes a
   * process ignore it
   * @returns a function that undoes this
   */
  onImmediateExit(work: () => void, moreSignals: readonly StopSignal[] = []): () => void {
    const previous = this.#beforeExit;
    const handleSignal = (signal: StopSignal) => this.#handleSignal(signal);
    this.#beforeExit = work;
    for (const signal of moreSignals) process.on(signal, handleSignal);
    return () => {
      this.#beforeExit = previous;
      for (const signal of moreSignals) process.off(signal, handleSignal);
    };
  }

  /** Sets the number of threads that are stuck in native code. */
  setStuckThreads(threads: number): void {
    this.#stuckThreads = threads;
  }

  /** Sets the original exit function, because calls of `process.exit` are intercepted. */
  setExit(exit: (code: number) => never): void {
    this.#exit = exit;
  }

  /** Sets the function to which failures are reported; undefined for standard error. */
  reportTo(report: ((report: string) => Promise<void>) | undefined): void {
    this.#report = report;
  }

  /**
   * Reports a failure, and ends the process.
   * @param report the text for the operator
   */
  exitWithFailure(report: string): void {
    if (this.#report === undefined) {
      process.stderr.write(`${report}\n`);
      this.exitNow(1);
    } else void this.#report(report).finally(() => this.exitNow(1));
  }

  /**
   * Ends the process. When Node exits, it waits for its threads. If one is stuck in native code, only a signal can end
   * the process.
   */
  exitNow(code: number): void {
    if (this.#stuckThreads > 0) process.kill(process.pid, 'SIGKILL');
    else this.#exit(code);
  }

  #exitAtOnce(signal: StopSignal): void {
    this.#beforeExit();
    this.exitNow(128 + constants.signals[signal]);
  }
}
