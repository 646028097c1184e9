import type { Logger } from '@keyhost/spi';

/** Runs tasks that no response waits for. The host waits for them when it stops. */
export class BackgroundTasks {
  readonly #tasks = new Set<Promise<void>>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  run(work: () => Promise<void>): void {
    const task = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: { code?: unknown; message?: unknown }) => {
        // A failed mail has its own event.
        if (error.code === 'email_send_failed' || error.code === 'mail_too_many') return;
        this.#logger.error('background task failed', { reason: String(error.message ?? error) });
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  async close(): Promise<void> {
    await Promise.all(this.#tasks);
  }
}
