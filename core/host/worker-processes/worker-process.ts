import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import {
  type FromWorker,
  isHostMessage,
  type RequestName,
  type StartedWorker,
  type ToWorker,
  type WorkerAnswers,
} from './messages.js';
import { StartFailedError } from './start-failed.js';

/** How long to wait for a process's last messages after it has ended, in milliseconds. */
const LAST_MESSAGE_MS = 1_000;

interface PendingRequest {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerCommand {
  /** The number of the worker, from 1. */
  readonly number: number;
  /** The management URL of the host. */
  readonly managementUrl: string;
  /** The arguments of the parent process: `start` or `start-dev`, and the options. */
  readonly argv: readonly string[];
}

/** A worker process, as its parent sees it. The parent has its listening sockets. */
export class WorkerProcess {
  /**
   * Resolves when the worker serves requests.
   * @throws StartFailedError
   */
  readonly ready: Promise<StartedWorker>;
  /** Resolves when the process has ended. The value is the signal, such as `SIGKILL`, or for example `exit code 1`. */
  readonly ended: Promise<string>;
  readonly #worker: Worker;
  readonly #pendingRequests = new Map<number, PendingRequest>();
  #lastRequestId = 0;
  #endReason: string | undefined;

  constructor({ number, managementUrl, argv }: WorkerCommand) {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // JSON cannot represent metrics that are NaN or infinite, so use the other serialisation.
    const workerArgs = ['worker', `${number}`, managementUrl, ...argv];
    cluster.setupPrimary({ exec: process.argv[1] ?? '', args: workerArgs, serialization: 'advanced' });
    const worker = cluster.fork();
    this.#worker = worker;
    let report: string | undefined;
    let resolveReady: (started: StartedWorker) => void = () => {};
    const firstReady = new Promise<StartedWorker>((resolve) => {
      resolveReady = resolve;
    });
    worker.on('message', (message: unknown) => {
      if (!isHostMessage<FromWorker>(message)) return;
      if (message.keyhost === 'ready') resolveReady(message.started);
      else if (message.keyhost === 'failed') report = message.report;
      else this.#settleRequest(message);
    });
    this.ended = waitForEnd(worker).then((end) => {
      this.#endReason = end;
      for (const { reject } of this.#pendingRequests.values()) reject(new Error(`worker ${number} ended (${end})`));
      this.#pendingRequests.clear();
      return end;
    });
    const startFailure = this.ended.then((end) => {
      throw new StartFailedError(report ?? `keyhost: worker ${number} ended while it started (${end})`);
    });
    this.ready = Promise.race([firstReady, startFailure]);
    this.ready.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  get isRunning(): boolean {
    return this.#endReason === undefined;
  }

  /**
   * Sends a request to the worker.
   * @param limitMs timeout of the answer, in milliseconds
   * @throws BootError of the worker; Error if it ends before it answers, or the answer takes too long
   */
  async ask<Q extends RequestName>(
    question: Q,
    words: Parameters<WorkerAnswers[Q]>,
    limitMs: number,
  ): Promise<Awaited<ReturnType<WorkerAnswers[Q]>>> {
    this.#lastRequestId += 1;
    const id = this.#lastRequestId;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<never>((resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`a worker did not answer within ${limitMs} ms`)), limitMs);
        this.#pendingRequests.set(id, { resolve, reject });
        this.#send({ keyhost: 'ask', id, question, words }, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#pendingRequests.delete(id);
    }
  }

  /** Drains the worker, then ends it. */
  stop(): void {
    this.#send({ keyhost: 'stop' }, () => {});
  }

  /** Kills the process. */
  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  #send(message: ToWorker, onFailed: (error: Error) => void): void {
    if (!this.#worker.isConnected()) {
      onFailed(new Error('the worker has ended'));
      return;
    }
    this.#worker.process.send(message, (error: Error | null) => {
      if (error !== null) onFailed(error);
    });
  }

  #settleRequest(message: Extract<FromWorker, { readonly id: number }>): void {
    const request = this.#pendingRequests.get(message.id);
    if (message.keyhost === 'answer') request?.resolve(message.answer as never);
    else if (message.keyhost === 'failure') request?.reject(new Error(message.reason));
    else {
      const { code, message: text, plugin, problems, hint } = message.refusal;
      const details = {
        problems,
        ...(plugin === undefined ? {} : { plugin }),
        ...(hint === undefined ? {} : { hint }),
      };
      request?.reject(new BootError(code, text, details));
    }
  }
}

/** Resolves with the reason why a process ended, after all of its messages have arrived. */
async function waitForEnd({ process: child }: Worker): Promise<string> {
  const allReceived = child.connected ? once(child, 'disconnect') : Promise.resolve();
  const end = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    // If the process could not be created, there is no `exit` event. `#send` handles errors of sending.
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) resolve(`it could not be started: ${error.code ?? error.message}`);
    });
  });
  await Promise.race([allReceived, sleep(LAST_MESSAGE_MS)]);
  return end;
}
