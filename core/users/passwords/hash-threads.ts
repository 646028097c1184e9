import { Worker } from 'node:worker_threads';
import type { PasswordFormat } from './password-format.js';

export interface HashJob {
  readonly password: string;
  readonly format: PasswordFormat;
  readonly salt: Uint8Array;
}

export type HashReply = { readonly derived: Uint8Array } | { readonly failure: string };

const THREAD_FILE = new URL('./hash-thread.js', import.meta.url);
/** How long a thread may stay idle before it ends, in milliseconds. */
const IDLE_MS = 60_000;

/** Idle threads, shared by all hosts in this process. The most recently used thread is taken first. */
const idleThreads: HashThread[] = [];

/**
 * Derives a hash in a separate low-priority thread, so that logins use only the CPU time that token requests leave. The
 * threads of libuv's pool cannot have a lower priority, because they sign tokens by RSA.
 * @throws Error if the parameters are invalid, or the thread ends
 */
export function deriveInThread(job: HashJob): Promise<Buffer> {
  return (idleThreads.pop() ?? new HashThread()).derive(job);
}

/** A thread that runs one job at a time. */
class HashThread {
  readonly #worker = new Worker(THREAD_FILE, { name: 'keyhost-passwords', execArgv: [] });
  #job: { resolve(derived: Buffer): void; reject(error: Error): void } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on('message', (reply: HashReply) => this.#finish(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) =>
      this.#fail(new Error(`the thread that hashes passwords ended with code ${code}`)),
    );
  }

  derive(job: HashJob): Promise<Buffer> {
    clearTimeout(this.#idleTimer);
    return new Promise((resolve, reject) => {
      this.#job = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(job);
    });
  }

  #finish(reply: HashReply): void {
    const job = this.#job;
    this.#job = undefined;
    // An idle thread must not keep the process alive.
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#end(), IDLE_MS).unref();
    idleThreads.push(this);
    if ('failure' in reply) job?.reject(new Error(reply.failure));
    else job?.resolve(Buffer.from(reply.derived));
  }

  #end(): void {
    this.#removeFromIdle();
    void this.#worker.terminate();
  }

  #fail(error: Error): void {
    clearTimeout(this.#idleTimer);
    this.#removeFromIdle();
    this.#job?.reject(error);
    this.#job = undefined;
  }

  #removeFromIdle(): void {
    const index = idleThreads.indexOf(this);
    if (index >= 0) idleThreads.splice(index, 1);
  }
}
