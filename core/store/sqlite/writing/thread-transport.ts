import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../../config/boot-error.js';
import { ExitGate } from './exit-gate.js';
import type { Reply, Request } from './group-commit.js';
import type { Receiver, Transport } from './writer.js';

export interface WriterThreadData {
  readonly file: string;
  readonly appliedAt: number;
  /** The memory of an ExitGate. */
  readonly exitGate: SharedArrayBuffer;
}

/** The first message of the thread. */
export type Opened = { opened: true } | { opened: false; message: string; hint: string | undefined };

/** The gates of running threads. One listener closes them all, since a process may open several stores. */
const gates = new Set<ExitGate>();
process.on('exit', () => {
  for (const gate of gates) gate.close();
});

const WRITER_THREAD = new URL('./writer-thread.js', import.meta.url);

/** Carries requests out in a worker thread, which owns the only writing connection. */
export class ThreadTransport implements Transport {
  readonly #worker: Worker;

  /** @throws BootError `store_failed` */
  static async open(
    data: Omit<WriterThreadData, 'exitGate'>,
    receiver: Receiver,
    thread: URL = WRITER_THREAD,
  ): Promise<ThreadTransport> {
    const gate = new ExitGate();
    gates.add(gate);
    const workerData: WriterThreadData = { ...data, exitGate: gate.memory };
    const worker = new Worker(thread, { workerData, name: 'keyhost-store', execArgv: [] });
    worker.once('exit', () => gates.delete(gate));
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
