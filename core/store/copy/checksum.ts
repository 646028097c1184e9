import { hash } from 'node:crypto';
import type { Row, Table } from './tables.js';

/** The content of a table, as a number of rows and a checksum. */
export interface TableSum {
  readonly rows: number;
  /** The same for the same rows in any order; hexadecimal. */
  readonly checksum: string;
  /** The number of rows that have a text with NUL. */
  readonly withNul: number;
}

const NUL = '\0';
/** Replaces NUL, which PostgreSQL does not accept: see `toText` in postgresql/session.ts. */
const REPLACEMENT_CHARACTER = '\ufffd';

/**
 * Adds up half of the SHA-256 of each row, as a number of 128 bits. The sum is computed here and not by the engines,
 * over values that are the same in both. The columns of a row are in the order of their names, each text has its length
 * in front, and integers are decimal. U+FFFD replaces NUL, which PostgreSQL does not accept.
 */
export class Checksum {
  #rows = 0;
  #withNul = 0;
  #high = 0n;
  #low = 0n;

  add(table: Table, rows: readonly Row[]): void {
    for (const row of rows) {
      const text = canonicalText(table, row);
      const hasNul = text.includes(NUL);
      const digest = hash('sha256', hasNul ? text.replaceAll(NUL, REPLACEMENT_CHARACTER) : text, 'buffer');
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

function canonicalText({ columns }: Table, row: Row): string {
  let text = '';
  for (const { name } of columns) {
    const value = row[name] ?? null;
    if (value === null) text += '-';
    else text += typeof value === 'number' ? `#${value};` : `${value.length}:${value}`;
  }
  return text;
}
