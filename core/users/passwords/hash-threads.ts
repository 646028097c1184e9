import { Worker } from 'node:worker_threads';
import type { PasswordFormat } from './password-format.js';

export interface HashJob {
  readonly password: string;
  readonly format: PasswordFormat;
  readonly salt: Uint8Array;
}

export type HashReply = { readonly derived: Uint8Array } | { readonly failure: string };

const THREAD = new URL('./hash-thread.js', import.meta.url);
/** How long an idle thread waits for the next password, in milliseconds. */
const IDLE_MS = 60_000;

/** Idle threads, shared by all hosts in this process and used last in, first out. */
const idle: HashThread[] = [];

/**
 * Derives a hash in a separate low-priority thread, so that logins use only the CPU time that token requests leave. The
 * threads of libuv's pool cannot have a lower priority, because they sign tokens by RSA.
 * @throws Error if the parameters are invalid, or the thread ends
 */
export function deriveInThread(job: HashJob): Promise<Buffer> {
  return (idle.pop() ?? new HashThread()).derive(job);
}

/** Runs one job at a time. */
class HashThread {
  readonly #worker = new Worker(THREAD, { name: 'keyhost-passwords', execArgv: [] });
  #job: { resolve(derived: Buffer): void; reject(error: Error): void } | undefined;
  #ends: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker.on('message', (reply: HashReply) => this.#answered(reply));
    this.#worker.on('error', (error) => this.#gone(error));
    this.#worker.on('exit', (code) =>
      this.#gone(new Error(`the thread that hashes passwords ended with code ${code}`)),
    );
  }

  derive(job: HashJob): Promise<Buffer> {
    clearTimeout(this.#ends);
    return new Promise((resolve, reject) => {
      this.#job = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(job);
    });
  }

  #answered(reply: HashReply): void {
    const job = this.#job;
    this.#job = undefined;
    // An idle thread must not keep the process alive.
    this.#worker.unref();
    this.#ends = setTimeout(() => this.#end(), IDLE_MS).unref();
    idle.push(this);
    if ('failure' in reply) job?.reject(new Error(reply.failure));
    else job?.resolve(Buffer.from(reply.derived));
  }

  #end(): void {
    this.#forget();
    void this.#worker.terminate();
  }

  #gone(error: Error): void {
    clearTimeout(this.#ends);
    this.#forget();
    this.#job?.reject(error);
    this.#job = undefined;
  }

  #forget(): void {
    const at = idle.indexOf(this);
    if (at >= 0) idle.splice(at, 1);
  }
}
