/** Prints the completed work and the estimated remaining time on standard error. */
export class Progress {
  readonly #write: (text: string) => void;
  readonly #expected: readonly number[];
  #current = -1;
  #began = 0;
  /** The expected and the actual duration of the completed measurements, in seconds. */
  #done = { expected: 0, taken: 0 };
  #name = '';

  /** @param expected the expected duration of each measurement, in seconds */
  constructor(expected: readonly number[], write: (text: string) => void) {
    this.#expected = expected;
    this.#write = write;
  }

  /** The next measurement begins. */
  next(name: string): void {
    this.#finish();
    this.#current += 1;
    this.#name = name;
    this.#began = performance.now();
  }

  say(what: string): void {
    this.#write(`[${this.#left()} left] ${this.#name}: ${what}\n`);
  }

  #finish(): void {
    if (this.#current < 0) return;
    this.#done.expected += this.#expected[this.#current] ?? 0;
    this.#done.taken += this.#elapsed();
  }

  #elapsed(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** The estimate assumes that a machine that was slower than expected stays so. */
  #left(): string {
    const { expected, taken } = this.#done;
    const pace = expected === 0 ? 1 : taken / expected;
    const current = Math.max(0, (this.#expected[this.#current] ?? 0) * pace - this.#elapsed());
    const later = this.#expected.slice(this.#current + 1).reduce((sum, one) => sum + one, 0) * pace;
    const seconds = Math.round(current + later);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
}
