import type { Attributes } from '../api/users.ts';

/** One value of an attribute, as a line of the form. */
export interface AttributeRow {
  readonly name: string;
  readonly value: string;
}

export function rowsOf(attributes: Attributes): readonly AttributeRow[] {
  return Object.entries(attributes).flatMap(([name, values]) => values.map((value) => ({ name, value })));
}

/** A repeated name has several values. Lines without a name are skipped. */
export function attributesOf(rows: readonly AttributeRow[]): Attributes {
  const found = new Map<string, string[]>();
  for (const { name, value } of rows) {
    const key = name.trim();
    if (key !== '') found.set(key, [...(found.get(key) ?? []), value]);
  }
  return Object.fromEntries(found);
}
