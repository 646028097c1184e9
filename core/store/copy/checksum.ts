import { hash } from 'node:crypto';
import type { Row, Table } from './tables.js';

/** What a table holds, told in a few characters. */
export interface TableSum {
  readonly rows: number;
  /** The same for the same rows, in whatever order they come; hexadecimal. */
  readonly checksum: string;
  /** Rows with a text that has NUL. */
  readonly withNul: number;
}

const NUL = '\0';
/** What stands for NUL where an engine takes none: see `textOf` of the PostgreSQL engine. */
const UNKNOWN_CHARACTER = '\ufffd';

/**
 * Adds up what rows hold: half of SHA-256 of each, as a number of 128 bits. It is computed here and not by engines, over values
 * that are the same on each: columns in the order of their names, each text with its length, whole numbers in decimal, and U+FFFD in
 * place of NUL, which PostgreSQL does not take.
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
