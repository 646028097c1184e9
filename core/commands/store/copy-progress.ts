import type { CopyProgress } from '../../store/open-store.js';

/** The interval of progress lines about one table, in milliseconds. */
const EVERY_MS = 2_000;

/** Writes lines about the progress of a copy: at an interval, and at the end of each step of a table. */
export class ProgressLines {
  readonly #write: (line: string) => void;
  readonly #elapsed: () => number;
  #currentStep = '';
  #firstOfStep = { rows: 0, at: 0 };
  #lastPrinted = 0;

  constructor(write: (line: string) => void, elapsed: () => number = () => performance.now()) {
    this.#write = write;
    this.#elapsed = elapsed;
  }

  print({ phase, table, rows, all }: CopyProgress): void {
    if (all === 0) return;
    const now = this.#elapsed();
    const step = `${phase} ${table}`;
    if (step !== this.#currentStep) {
      // Rows that an earlier run copied do not count for the rate.
      [this.#currentStep, this.#firstOfStep, this.#lastPrinted] = [
        step,
        { rows: rows === all ? 0 : rows, at: now },
        now,
      ];
      if (rows < all) return;
    }
    if (rows < all && now - this.#lastPrinted < EVERY_MS) return;
    this.#lastPrinted = now;
    const rate = ((rows - this.#firstOfStep.rows) * 1000) / Math.max(1, now - this.#firstOfStep.at);
    const share = Math.floor((rows * 100) / all);
    const rowsPerSecond = Math.round(rate).toLocaleString('en');
    this.#write(
      `${table}: ${rows.toLocaleString('en')} of ${all.toLocaleString('en')} rows ${phase} (${share} %), ${rowsPerSecond} a second\n`,
    );
  }
}
