import type { MailLocation } from './queued-mail-store.js';

/** Maximum number of concurrent mails of a queue; one after a failure of its mail server. */
const MOST_AT_ONCE = 4;
/** Pause after a failure in milliseconds; doubles with each further failure. */
const FIRST_PAUSE_MS = 5_000;
const LAST_PAUSE_MS = 5 * 60_000;

interface QueuedMailRow {
  readonly place: MailLocation;
  /** Number of times that the mail server deferred this mail. */
  readonly failures: number;
  /** Number of failed attempts on this host. */
  readonly attempts: number;
}

/** The queue of a plugin's mails in one realm. */
export class RealmMailQueue {
  readonly #waiting: QueuedMailRow[] = [];
  /** Mails that their server has deferred. */
  #later: { readonly due: number; readonly mail: QueuedMailRow }[] = [];
  #firstDue = Number.POSITIVE_INFINITY;
  #running = 0;
  #failures = 0;
  #pausedUntil = 0;

  get length(): number {
    return this.#waiting.length + this.#later.length + this.#running;
  }

  add(place: MailLocation): void {
    this.#waiting.push({ place, failures: 0, attempts: 0 });
  }

  /** Takes the next mail that may be sent; undefined if there is none at present. */
  next(now: number): QueuedMailRow | undefined {
    if (now >= this.#firstDue) {
      for (const { due, mail } of this.#later) if (due <= now) this.#waiting.push(mail);
      this.#later = this.#later.filter(({ due }) => due > now);
      this.#firstDue = Math.min(...this.#later.map(({ due }) => due));
    }
    const most = this.#failures > 0 ? 1 : MOST_AT_ONCE;
    if (this.#running >= most || now < this.#pausedUntil) return undefined;
    const mail = this.#waiting.shift();
    if (mail !== undefined) this.#running += 1;
    return mail;
  }

  /** Call when a mail was sent, or finally failed. */
  done(): void {
    this.#running -= 1;
    this.#failures = 0;
  }

  /** Call when the server does not accept this mail now. */
  refused({ place, failures, attempts }: QueuedMailRow, now: number): void {
    this.done();
    const due = now + pauseAfter(failures);
    this.#later.push({ due, mail: { place, failures: failures + 1, attempts: attempts + 1 } });
    this.#firstDue = Math.min(this.#firstDue, due);
  }

  /** Call when no mail can be sent: the whole queue pauses. */
  failed(mail: QueuedMailRow, now: number): void {
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
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
}
