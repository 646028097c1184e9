import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../../config/boot-error.js';
import type { Reply, Request } from './group-commit.js';
import type { Receiver, Transport } from './writer.js';

export interface WriterThreadData {
  readonly file: string;
  readonly appliedAt: number;
}

/** The first message of the thread. */
export type Opened = { opened: true } | { opened: false; message: string; hint: string | undefined };

const WRITER_THREAD = new URL('./writer-thread.js', import.meta.url);

/** Carries requests out in a worker thread, which owns the only writing connection. */
export class ThreadTransport implements Transport {
  readonly #worker: Worker;

  /** @throws BootError `store_failed` */
  static async open(data: WriterThreadData, receiver: Receiver, thread: URL = WRITER_THREAD): Promise<ThreadTransport> {
    const worker = new Worker(thread, { workerData: data, name: 'keyhost-store', execArgv: [] });
    const exit = new AbortController();
    worker.once('exit', (code) => exit.abort(new Error(`its writer thread ended with code ${code}`)));
    let opened: Opened;
    try {
      [opened] = (await once(worker, 'message', { signal: exit.signal })) as [Opened];
    } catch (cause) {
      throw new BootError('store_failed', `cannot open the store ${data.file}`, { cause });
    }
    if (!opened.opened) {
      if (!exit.signal.aborted) await once(worker, 'exit');
      throw new BootError('store_failed', opened.message, { hint: opened.hint });
    }
    return new ThreadTransport(worker, receiver);
  }

  private constructor(worker: Worker, receiver: Receiver) {
    this.#worker = worker;
    let cause: unknown;
    worker.on('message', (reply: Reply) => receiver.reply(reply));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('messageerror', (error) => receiver.gone('an answer of its writer thread could not be read', error));
    worker.on('exit', () => receiver.gone('its writer thread has ended', cause));
  }

  send(requests: readonly Request[]): void {
    this.#worker.postMessage(requests);
  }

  async close(): Promise<void> {
    if (this.#worker.threadId === -1) return;
    const exit = once(this.#worker, 'exit');
    this.#worker.postMessage('close');
    await exit;
  }
}
