import type { MailLocation } from './queued-mail-store.js';

/**
 * Maximum number of mails of a queue that are sent at the same time. After a failure of the mail server, the limit is
 * one.
 */
const MAX_CONCURRENT_MAILS = 4;
/** Pause after a failure in milliseconds; doubles with each further failure. */
const MIN_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

interface QueuedMailRow {
  readonly location: MailLocation;
  /** Number of times that the mail server deferred this mail. */
  readonly failures: number;
  /** Number of failed attempts on this host. */
  readonly attempts: number;
}

/** The queue of a plugin's mails in one realm. */
export class RealmMailQueue {
  readonly #waiting: QueuedMailRow[] = [];
  /** Mails that their server has deferred. */
  #deferred: { readonly due: number; readonly mail: QueuedMailRow }[] = [];
  #earliestDue = Number.POSITIVE_INFINITY;
  #running = 0;
  #failures = 0;
  #pausedUntil = 0;

  get length(): number {
    return this.#waiting.length + this.#deferred.length + this.#running;
  }

  add(location: MailLocation): void {
    this.#waiting.push({ location, failures: 0, attempts: 0 });
  }

  /** Takes the next mail that may be sent; undefined if there is none at present. */
  takeNext(now: number): QueuedMailRow | undefined {
    if (now >= this.#earliestDue) {
      for (const { due, mail } of this.#deferred) if (due <= now) this.#waiting.push(mail);
      this.#deferred = this.#deferred.filter(({ due }) => due > now);
      this.#earliestDue = Math.min(...this.#deferred.map(({ due }) => due));
    }
    const limit = this.#failures > 0 ? 1 : MAX_CONCURRENT_MAILS;
    if (this.#running >= limit || now < this.#pausedUntil) return undefined;
    const mail = this.#waiting.shift();
    if (mail !== undefined) this.#running += 1;
    return mail;
  }

  /** Records that a mail was sent, or has finally failed. */
  complete(): void {
    this.#running -= 1;
    this.#failures = 0;
  }

  /** Defers a mail that the server does not accept now. */
  defer({ location, failures, attempts }: QueuedMailRow, now: number): void {
    this.complete();
    const due = now + pauseAfter(failures);
    this.#deferred.push({ due, mail: { location, failures: failures + 1, attempts: attempts + 1 } });
    this.#earliestDue = Math.min(this.#earliestDue, due);
  }

  /** Pauses the whole queue, because no mail can be sent. */
  pause(mail: QueuedMailRow, now: number): void {
    this.#running -= 1;
    // At the end of the queue, so that a mail which fails by itself does not block the others.
    this.#waiting.push({ ...mail, attempts: mail.attempts + 1 });
    // Concurrent mails fail for the same reason: pause only once.
    if (now < this.#pausedUntil) return;
    this.#pausedUntil = now + pauseAfter(this.#failures);
    this.#failures += 1;
  }
}

function pauseAfter(failures: number): number {
  return Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures);
}
