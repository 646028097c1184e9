import { waitForRealmTurn } from './loop-turns.js';

/** Number of items in a piece. Checking 50 users takes about two milliseconds. */
export const ITEMS_PER_PIECE = 50;

/** Consecutive items of a list. */
export interface ListPiece<T> {
  /** The index of the first item in the list. */
  readonly first: number;
  readonly items: T[];
}

/**
 * Splits a list of a realm into pieces. Other requests may run before each, so that the event loop is never blocked for
 * longer than one piece takes.
 */
export async function* listPieces<T>(realm: string, list: readonly T[]): AsyncGenerator<ListPiece<T>> {
  for (let first = 0; first < list.length; first += ITEMS_PER_PIECE) {
    await waitForRealmTurn(realm);
    yield { first, items: list.slice(first, first + ITEMS_PER_PIECE) };
  }
}

/** The path of a value in the whole list, if its path in a piece of the member `member` is this one. */
export function pathInList(
  path: readonly (string | number)[],
  member: string,
  first: number,
): readonly (string | number)[] {
  const [name, index, ...inner] = path;
  return name === member && typeof index === 'number' ? [name, index + first, ...inner] : path;
}
