import type { MailPlace } from './kept-mails.js';

/** So many mails of a line are under way at once; one, where its mail server has just failed. */
const MOST_AT_ONCE = 4;
/** After a failure, in milliseconds: doubled with each one that follows. */
const FIRST_PAUSE_MS = 5_000;
const LAST_PAUSE_MS = 5 * 60_000;

interface Waiting {
  readonly place: MailPlace;
  /** Of the mail itself: its server wanted it later. */
  readonly failures: number;
  /** All of them that failed, on this host. */
  readonly attempts: number;
}

/** The mails of one plugin in one realm, in their order. */
export class MailLine {
  readonly #waiting: Waiting[] = [];
  /** Mails that their server wants later. */
  #later: { readonly due: number; readonly mail: Waiting }[] = [];
  #firstDue = Number.POSITIVE_INFINITY;
  #running = 0;
  #failures = 0;
  #pausedUntil = 0;

  get length(): number {
    return this.#waiting.length + this.#later.length + this.#running;
  }

  add(place: MailPlace): void {
    this.#waiting.push({ place, failures: 0, attempts: 0 });
  }

  /** The next one that may go, which is then under way; undefined: none does now. */
  next(now: number): Waiting | undefined {
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

  /** It is sent, or will never be. */
  done(): void {
    this.#running -= 1;
    this.#failures = 0;
  }

  /** The server does not take this mail now. */
  refused({ place, failures, attempts }: Waiting, now: number): void {
    this.done();
    const due = now + pauseAfter(failures);
    this.#later.push({ due, mail: { place, failures: failures + 1, attempts: attempts + 1 } });
    this.#firstDue = Math.min(this.#firstDue, due);
  }

  /** No mail gets through: all of them wait. */
  failed(mail: Waiting, now: number): void {
    this.#running -= 1;
    // Not in front: where it fails for something of its own, the others are not to wait for it.
    this.#waiting.push({ ...mail, attempts: mail.attempts + 1 });
    // Several that were under way at once fail of one cause.
    if (now < this.#pausedUntil) return;
    this.#pausedUntil = now + pauseAfter(this.#failures);
    this.#failures += 1;
  }
}

function pauseAfter(failures: number): number {
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
}
