/**
 * The interval of pings, in milliseconds, and the number of consecutive pings without an answer after which the worker
 * counts as hung.
 */
const PING_INTERVAL_MS = 500;
const MAX_MISSED_PINGS = 6;
/**
 * If the host's event loop was delayed by more than this, in milliseconds, a missing answer is not the worker's fault.
 */
const MAX_HOST_DELAY_MS = 250;

/** Pings a worker regularly, to check that its event loop runs. */
export class WorkerHealth {
  readonly #timer: NodeJS.Timeout;
  #nextPingAt = performance.now() + PING_INTERVAL_MS;
  #lastPing = 0;
  #lastPong = 0;
  #missedPings = 0;

  /**
   * @param parts.sendPing sends a ping with its number, from 1
   * @param parts.isExcused returns true while the worker may block its thread, as during an import
   */
  constructor({
    sendPing,
    isExcused,
    onHung,
  }: { sendPing: (number: number) => void; isExcused: () => boolean; onHung: () => void }) {
    this.#timer = setInterval(() => {
      const delayMs = performance.now() - this.#nextPingAt;
      this.#nextPingAt = performance.now() + PING_INTERVAL_MS;
      if (delayMs > MAX_HOST_DELAY_MS) return;
      // First handle answers that have arrived, but were not read yet.
      setImmediate(() => {
        const isAnswered = this.#lastPong === this.#lastPing;
        this.#missedPings = isAnswered || isExcused() ? 0 : this.#missedPings + 1;
        if (this.#missedPings >= MAX_MISSED_PINGS) onHung();
        else if (isAnswered) sendPing(++this.#lastPing);
      });
    }, PING_INTERVAL_MS);
    this.#timer.unref();
  }

  recordPong(number: number): void {
    if (number === this.#lastPing) this.#lastPong = number;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
