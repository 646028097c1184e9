import cluster from 'node:cluster';
import { BootError } from '../../config/boot-error.js';
import { type FromWorker, isHostMessage, type StartedWorker, type ToWorker, type WorkerAnswers } from './messages.js';

/** The worker's end of the channel to its parent process. */
export class ParentChannel {
  /** Calls the listener when the parent has ended. This process then gets no more connections. */
  onParentEnd(listener: () => void): void {
    cluster.worker?.once('disconnect', listener);
  }

  /** Calls the listener when the parent requests this worker to stop. */
  onStop(listener: () => void): void {
    process.on('message', (message: unknown) => {
      if (isHostMessage<ToWorker>(message) && message.keyhost === 'stop') listener();
    });
  }

  /** Answers the requests of the parent. */
  answer(answers: WorkerAnswers): void {
    process.on('message', (message: unknown) => {
      if (isHostMessage<ToWorker>(message) && message.keyhost === 'ask') void this.#answer(answers, message);
    });
  }

  ready(started: StartedWorker): void {
    void this.#send({ keyhost: 'ready', started });
  }

  /** Reports why the worker did not start. Resolves when the parent has received the report, or has ended. */
  reportFailure(report: string): Promise<void> {
    return this.#send({ keyhost: 'failed', report });
  }

  async #answer(
    answers: WorkerAnswers,
    { id, question, words }: Extract<ToWorker, { readonly keyhost: 'ask' }>,
  ): Promise<void> {
    try {
      const handler = answers[question] as (...words: readonly unknown[]) => Promise<unknown>;
      await this.#send({ keyhost: 'answer', id, answer: await handler(...words) });
    } catch (error) {
      if (!(error instanceof BootError)) return this.#send({ keyhost: 'failure', id, reason: String(error) });
      const { code, message, plugin, problems, hint } = error;
      await this.#send({ keyhost: 'refusal', id, refusal: { code, message, plugin, problems, hint } });
    }
  }

  /** Sends a message. A failure is ignored, because it means that the parent has ended. */
  #send(message: FromWorker): Promise<void> {
    return new Promise((resolve) => {
      if (process.send === undefined || !process.connected) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  }
}
