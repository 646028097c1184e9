/**
 * The results of a trial's requests, and its losses. A loss is an acknowledged write that has disappeared, or a used
 * token, code or link that is accepted again. A valid token that is rejected, a request without an answer in time, and
 * an answer 500 are losses too. So is a process that does not restart.
 */
export class Ledger {
  /** Answers by status; `cut` is a connection that ended without one. */
  readonly answers = new Map<string, number>();
  /** Milliseconds until each answer. */
  readonly took: number[] = [];
  /** Number of acknowledged things that were checked. */
  checked = 0;
  /** The longest time in milliseconds between two acknowledged writes, while applications send requests. */
  longestPause = 0;
  #acknowledgedAt: number | undefined;
  /** Number of occurrences of each loss. */
  readonly #lost = new Map<string, number>();

  answered(what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
  }

  /** Records that a write was acknowledged. */
  acknowledged(): void {
    const now = performance.now();
    this.longestPause = Math.max(this.longestPause, now - (this.#acknowledgedAt ?? now));
    this.#acknowledgedAt = now;
  }

  /** @param sentence for example `a link was honoured twice` */
  lose(sentence: string, detail = ''): void {
    this.#lost.set(sentence, (this.#lost.get(sentence) ?? 0) + 1);
    process.stderr.write(`${new Date().toISOString()} LOST: ${sentence}${detail === '' ? '' : `: ${detail}`}\n`);
  }

  /** The 99th percentile of the duration in milliseconds. */
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
