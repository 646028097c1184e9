import { hash } from 'node:crypto';
import type { Row, Table } from './tables.js';

/** The content of a table, as a number of rows and a checksum. */
export interface TableSum {
  readonly rows: number;
  /** The same for the same rows in any order; hexadecimal. */
  readonly checksum: string;
  /** Rows with a text that has NUL. */
  readonly withNul: number;
}

const NUL = '\0';
/** Replaces NUL, which PostgreSQL does not accept: see `textOf` of that engine. */
const UNKNOWN_CHARACTER = '\ufffd';

/**
 * Sums over rows: half of the SHA-256 of each, as a number of 128 bits. It is computed here and not by the engines,
 * over values that are the same on each. Columns are in the order of their names, each text has its length, and
 * integers are decimal. U+FFFD replaces NUL, which PostgreSQL does not accept.
 */
export class Checksum {
  #rows = 0;
  #withNul = 0;
  #high = 0n;
  #low = 0n;

  add(table: Table, rows: readonly Row[]): void {
    for (const row of rows) {
      const text = canonical(table, row);
      const hasNul = text.includes(NUL);
      const digest = hash('sha256', hasNul ? text.replaceAll(NUL, UNKNOWN_CHARACTER) : text, 'buffer');
      this.#high = BigInt.asUintN(64, this.#high + digest.readBigUInt64BE(0));
      this.#low = BigInt.asUintN(64, this.#low + digest.readBigUInt64BE(8));
      this.#rows += 1;
      if (hasNul) this.#withNul += 1;
    }
  }

  get sum(): TableSum {
    const [high, low] = [this.#high, this.#low].map((half) => half.toString(16).padStart(16, '0'));
    return { rows: this.#rows, checksum: `${high}${low}`, withNul: this.#withNul };
  }
}

function canonical({ columns }: Table, row: Row): string {
  let text = '';
  for (const { name } of columns) {
    const value = row[name] ?? null;
    if (value === null) text += '-';
    else text += typeof value === 'number' ? `#${value};` : `${value.length}:${value}`;
  }
  return text;
}
