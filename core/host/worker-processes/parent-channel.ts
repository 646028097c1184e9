import cluster from 'node:cluster';
import { BootError } from '../../config/boot-error.js';
import { type FromWorker, isOurs, type StartedWorker, type ToWorker, type WorkerAnswers } from './messages.js';

/** A worker's end of the channel to its parent process. */
export class ParentChannel {
  /** Called when the parent has ended and passes no more connections. Node ends the process after that. */
  onParentEnd(gone: () => void): void {
    cluster.worker?.once('disconnect', gone);
  }

  /** Called when the parent tells this worker to stop. */
  onStop(stop: () => void): void {
    process.on('message', (message: unknown) => {
      if (isOurs<ToWorker>(message) && message.keyhost === 'stop') stop();
    });
  }

  /** Answers the parent's requests. */
  answer(answers: WorkerAnswers): void {
    process.on('message', (message: unknown) => {
      if (isOurs<ToWorker>(message) && message.keyhost === 'ask') void this.#answer(answers, message);
    });
  }

  ready(started: StartedWorker): void {
    void this.#send({ keyhost: 'ready', started });
  }

  /** Reports why it did not start. Resolves when the parent has the report, or has ended. */
  failed(report: string): Promise<void> {
    return this.#send({ keyhost: 'failed', report });
  }

  async #answer(
    answers: WorkerAnswers,
    { id, question, words }: Extract<ToWorker, { readonly keyhost: 'ask' }>,
  ): Promise<void> {
    try {
      const asked = answers[question] as (...words: readonly unknown[]) => Promise<unknown>;
      await this.#send({ keyhost: 'answer', id, answer: await asked(...words) });
    } catch (error) {
      if (!(error instanceof BootError)) return this.#send({ keyhost: 'failure', id, reason: String(error) });
      const { code, message, plugin, problems, hint } = error;
      await this.#send({ keyhost: 'refusal', id, refusal: { code, message, plugin, problems, hint } });
    }
  }

  /** A failure to send is ignored, because the parent has ended. */
  #send(message: FromWorker): Promise<void> {
    return new Promise((resolve) => {
      if (process.send === undefined || !process.connected) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
  }
}
