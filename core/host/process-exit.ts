import { constants } from 'node:os';

const STOPS = ['SIGTERM', 'SIGINT'] as const;
type Stop = (typeof STOPS)[number] | 'SIGHUP';
/** A terminal and the npm that it runs signal the same process twice, one right after the other. In milliseconds. */
const SAME_MS = 1_000;

/** How this process ends: as Node ends any, unless plugins are in the way. */
export class ProcessExit {
  #stuckThreads = 0;
  #end: (code: number) => never = (code) => process.exit(code);
  #stop: (signal: Stop) => void = (signal) => this.#atOnce(signal);
  #before = () => {};

  #tell: ((report: string) => Promise<void>) | undefined;

  /** A signal ends the first process of a container only if it waits for it: one that comes during a start would be lost. */
  waitsForSignals(): void {
    for (const signal of STOPS) process.on(signal, () => this.#stop(signal));
  }

  /** What SIGTERM and SIGINT do from now on. The second of them, unless it comes with the first, ends the process at once. */
  stopsBy(stop: (signal: Stop) => void): void {
    this.#stop = (signal) => {
      const at = performance.now();
      this.#stop = (another) => {
        if (performance.now() - at > SAME_MS) this.#atOnce(another);
      };
      stop(signal);
    };
  }

  /** Whoever started this process is told too, and says when it stops. */
  ignoresSignals(): void {
    this.#stop = () => {};
  }

  /**
   * What is done before a signal ends it at once.
   * @param more signals that do this too, until it is undone: whoever starts a server with nohup has it ignore SIGHUP
   * @returns undoes it
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

  /** So many of its threads are lost to native code. */
  threadsAreStuck(threads: number): void {
    this.#stuckThreads = threads;
  }

  /** How it ends where plugins may not: what they make of `process.exit` is watched. */
  endsBy(end: (code: number) => never): void {
    this.#end = end;
  }

  /** Who is told why it failed; without anybody it is written on standard error. */
  tellsBy(tell: ((report: string) => Promise<void>) | undefined): void {
    this.#tell = tell;
  }

  /** Says why it failed, and ends. @param report for a person */
  failed(report: string): void {
    if (this.#tell === undefined) {
      process.stderr.write(`${report}\n`);
      this.now(1);
    } else void this.#tell(report).finally(() => this.now(1));
  }

  /** Node waits for its threads, and for one in native code perhaps for ever: only a signal ends such a process. */
  now(code: number): void {
    if (this.#stuckThreads > 0) process.kill(process.pid, 'SIGKILL');
    else this.#end(code);
  }

  #atOnce(signal: Stop): void {
    this.#before();
    this.now(128 + constants.signals[signal]);
  }
}
