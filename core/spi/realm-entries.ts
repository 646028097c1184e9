/** A part of a realm file that is not checked yet. */
export type RealmEntry = Readonly<Record<string, unknown>>;

/** The value if it is a list; empty if it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects and lists in a list, with their indexes. */
export function* entriesOf(value: unknown): Iterable<readonly [index: number, entry: RealmEntry]> {
  for (const [index, entry] of listOf(value).entries()) {
    if (typeof entry === 'object' && entry !== null) yield [index, entry as RealmEntry];
  }
}
