import type { UserFilter } from '../../store.js';
import { wordsOf } from './user-conditions.js';

/** The characters around each text of a user, the same as in migration 013. */
const START = '\x01';
const END = '\x02';
const PIECE_LENGTH = 3;
/** Maximum number of pieces. This many leave few users. */
const MAX_PIECES = 24;

/**
 * Returns pieces of three characters that occur in the username, email address or name of each matching user. A shorter
 * piece must be a prefix of a piece. There are none if the filter does not restrict these texts.
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
      characters.length < PIECE_LENGTH
        ? [characters.join('')]
        : characters.slice(PIECE_LENGTH - 1).map((_, index) => characters.slice(index, index + PIECE_LENGTH).join('')),
    );
  return [...new Set(pieces)].filter((piece) => piece !== '' && piece !== START).slice(0, MAX_PIECES);
}
