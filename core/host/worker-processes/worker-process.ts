import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import {
  type FromWorker,
  isOurs,
  type Question,
  type StartedWorker,
  type ToWorker,
  type WorkerAnswers,
} from './messages.js';
import { StartFailed } from './start-failed.js';

/** Timeout for a process's last messages after its end, in milliseconds. */
const LAST_MESSAGE_MS = 1_000;

interface Asked {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** The command line of a worker. */
export interface WorkerCommand {
  /** Starts at 1. */
  readonly number: number;
  /** The management URL of the host. */
  readonly managementUrl: string;
  /** The arguments of this process: `start` or `start-dev`, and the options. */
  readonly argv: readonly string[];
}

/** A worker process, as its parent sees it. Its listening sockets belong to the parent. */
export class WorkerProcess {
  /** @throws StartFailed */
  readonly ready: Promise<StartedWorker>;
  /** Resolves with how it ended, such as `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  readonly #worker: Worker;
  readonly #asked = new Map<number, Asked>();
  #questions = 0;
  #end: string | undefined;

  constructor({ number, managementUrl, argv }: WorkerCommand) {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // Metrics may be NaN or infinite, which JSON cannot represent.
    const words = ['worker', `${number}`, managementUrl, ...argv];
    cluster.setupPrimary({ exec: process.argv[1] ?? '', args: words, serialization: 'advanced' });
    const worker = cluster.fork();
    this.#worker = worker;
    let report: string | undefined;
    let isReady: (started: StartedWorker) => void = () => {};
    const ready = new Promise<StartedWorker>((resolve) => {
      isReady = resolve;
    });
    worker.on('message', (message: unknown) => {
      if (!isOurs<FromWorker>(message)) return;
      if (message.keyhost === 'ready') isReady(message.started);
      else if (message.keyhost === 'failed') report = message.report;
      else this.#answered(message);
    });
    this.ended = endOf(worker).then((end) => {
      this.#end = end;
      for (const { reject } of this.#asked.values()) reject(new Error(`worker ${number} ended (${end})`));
      this.#asked.clear();
      return end;
    });
    const failed = this.ended.then((end) => {
      throw new StartFailed(report ?? `keyhost: worker ${number} ended while it started (${end})`);
    });
    this.ready = Promise.race([ready, failed]);
    this.ready.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  /**
   * @param limitMs timeout of the answer, in milliseconds
   * @throws BootError of the worker; Error if it ends before answering, or times out
   */
  async ask<Q extends Question>(
    question: Q,
    words: Parameters<WorkerAnswers[Q]>,
    limitMs: number,
  ): Promise<Awaited<ReturnType<WorkerAnswers[Q]>>> {
    this.#questions += 1;
    const id = this.#questions;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<never>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`a worker did not answer within ${limitMs} ms`)), limitMs);
        this.#asked.set(id, { resolve, reject });
        this.#send({ keyhost: 'ask', id, question, words }, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#asked.delete(id);
    }
  }

  /** Drains and ends it. */
  stop(): void {
    this.#send({ keyhost: 'stop' }, () => {});
  }

  /** Ends it at once. */
  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  #send(message: ToWorker, failed: (error: Error) => void): void {
    if (!this.#worker.isConnected()) {
      failed(new Error('the worker has ended'));
      return;
    }
    this.#worker.process.send(message, (error: Error | null) => {
      if (error !== null) failed(error);
    });
  }

  #answered(message: Extract<FromWorker, { readonly id: number }>): void {
    const asked = this.#asked.get(message.id);
    if (message.keyhost === 'answer') asked?.resolve(message.answer as never);
    else if (message.keyhost === 'failure') asked?.reject(new Error(message.reason));
    else {
      const { code, message: sentence, plugin, problems, hint } = message.refusal;
      const more = { problems, ...(plugin === undefined ? {} : { plugin }), ...(hint === undefined ? {} : { hint }) };
      asked?.reject(new BootError(code, sentence, more));
    }
  }
}

/** How a process ended, after all of its messages have arrived. */
async function endOf({ process: child }: Worker): Promise<string> {
  const heard = child.connected ? once(child, 'disconnect') : Promise.resolve();
  const end = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // Without a process there is no `exit` event. Errors of sending are handled by the sender.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(`it could not be started: ${error.code ?? error.message}`);
    });
  });
  await Promise.race([heard, sleep(LAST_MESSAGE_MS)]);
  return end;
}
