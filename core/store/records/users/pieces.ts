import type { UserFilter } from '../../store.js';
import { wordsOf } from './user-conditions.js';

/** Around each text of a user, as migration 013 has it. */
const START = '\x01';
const END = '\x02';
const LENGTH = 3;
/** Enough to leave few users. */
const MOST_PIECES = 24;

/**
 * Pieces of three characters that occur in the username, email address or name of each matching user. A shorter piece
 * is a prefix of one. None if the filter does not restrict these.
 */
export function piecesOf({ search, username, email, firstName, lastName, exact }: UserFilter): readonly string[] {
  const texts = wordsOf(search).flatMap(({ quoted, word }) =>
    quoted === undefined ? (START + word).split('*') : [START + quoted + END],
  );
  for (const value of [username, email, firstName, lastName]) {
    if (value !== undefined) texts.push(exact === true ? START + value + END : value);
  }
  const pieces = texts
    .map((text) => [...text.toLowerCase().replaceAll('\0', '\ufffd')])
    .flatMap((characters) =>
      characters.length < LENGTH
        ? [characters.join('')]
        : characters.slice(LENGTH - 1).map((_, at) => characters.slice(at, at + LENGTH).join('')),
    );
  return [...new Set(pieces)].filter((piece) => piece !== '' && piece !== START).slice(0, MOST_PIECES);
}
