import { constants } from 'node:os';

const STOPS = ['SIGTERM', 'SIGINT'] as const;

/** How this process ends: as Node ends any, unless plugins are in the way. */
export class ProcessExit {
  #stuckThreads = 0;
  #end: (code: number) => never = (code) => process.exit(code);
  #stop: (signal: (typeof STOPS)[number]) => void = (signal) => this.now(128 + constants.signals[signal]);

  /** A signal ends the first process of a container only if it waits for it: one that comes during a start would be lost. */
  waitsForSignals(): void {
    for (const signal of STOPS) process.on(signal, () => this.#stop(signal));
  }

  /** What SIGTERM and SIGINT do from now on. */
  stopsBy(stop: (signal: string) => void): void {
    this.#stop = stop;
  }

  /** So many of its threads are lost to native code. */
  threadsAreStuck(threads: number): void {
    this.#stuckThreads = threads;
  }

  /** How it ends where plugins may not: what they make of `process.exit` is watched. */
  endsBy(end: (code: number) => never): void {
    this.#end = end;
  }

  /** Node waits for its threads, and for one in native code perhaps for ever: only a signal ends such a process. */
  now(code: number): void {
    if (this.#stuckThreads > 0) process.kill(process.pid, 'SIGKILL');
    else this.#end(code);
  }
}
