import type { Logger } from '@keyhost/spi';

/** Work that no response waits for; the host waits for it when it stops. */
export class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  run(work: () => Promise<void>): void {
    const running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: { code?: unknown; message?: unknown }) => {
        // A failed mail has an event of its own.
        if (error.code === 'email_send_failed' || error.code === 'mail_too_many') return;
        this.#logger.error('background task failed', { reason: String(error.message ?? error) });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async close(): Promise<void> {
    await Promise.all(this.#running);
  }
}
