import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { BootError } from '../../../config/boot-error.js';
import { ExitGate } from './exit-gate.js';
import type { Reply, Request } from './group-commit.js';
import type { Receiver, Transport } from './writer.js';

export interface WriterThreadData {
  readonly file: string;
  readonly appliedAt: number;
  /** The shared memory of the ExitGate. */
  readonly exitGate: SharedArrayBuffer;
}

/** The first message from the thread. */
export type OpenMessage = { opened: true } | { opened: false; message: string; hint: string | undefined };

/** The gates of running threads. One exit listener closes them all, because a process may open several stores. */
const gates = new Set<ExitGate>();
process.on('exit', () => {
  for (const gate of gates) gate.close();
});

const WRITER_THREAD = new URL('./writer-thread.js', import.meta.url);

/** Runs requests in a worker thread, which has the only writing connection. */
export class ThreadTransport implements Transport {
  readonly #worker: Worker;

  /**
   * Starts the thread, and waits until it has opened the store.
   * @throws BootError `store_failed`
   */
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
    let opened: OpenMessage;
    try {
      [opened] = (await once(worker, 'message', { signal: exit.signal })) as [OpenMessage];
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
    worker.on('messageerror', (error) =>
      receiver.transportEnded('an answer of its writer thread could not be read', error),
    );
    worker.on('exit', () => receiver.transportEnded('its writer thread has ended', cause));
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
