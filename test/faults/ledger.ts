/**
 * What became of the requests of a trial, and what was lost. Lost is: an acknowledged write that is gone; a token, a code or a link
 * that is spent and honoured again; a token that is good and refused; a request without an answer in time; an answer 500; a
 * process that did not come back.
 */
export class Ledger {
  /** Answers by status; `cut` is a connection that ended without one. */
  readonly answers = new Map<string, number>();
  /** Milliseconds until each answer. */
  readonly took: number[] = [];
  /** How many acknowledged things were looked after. */
  checked = 0;
  /** How often each sentence was true. */
  readonly #lost = new Map<string, number>();

  answered(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
  }

  /** @param sentence such as `a link was honoured twice` */
  lose(sentence: string, detail = ''): void {
    this.#lost.set(sentence, (this.#lost.get(sentence) ?? 0) + 1);
    process.stderr.write(`${new Date().toISOString()} LOST: ${sentence}${detail === '' ? '' : `: ${detail}`}\n`);
  }

  /** So many milliseconds took the slowest of a hundred. */
  get p99(): number {
    return Math.round(this.took.toSorted((a, b) => a - b)[Math.floor(this.took.length * 0.99)] ?? 0);
  }

  get requests(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  get lost(): readonly string[] {
    return [...this.#lost].map(([sentence, count]) => `${count} × ${sentence}`);
  }

  /** Answers by status, in one line. */
  told(): string {
    const sorted = [...this.answers].sort(([a], [b]) => a.localeCompare(b));
    return sorted.map(([what, count]) => `${count} × ${what}`).join(', ');
  }
}
