import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';
import { binding, wordsOf } from './user-conditions.js';

/** What one of the texts of a user begins with, or is. */
interface Beginning {
  readonly from: string;
  /** The first text behind all that begin so; undefined: it is the whole text. */
  readonly below: string | undefined;
}

/** Beyond, a page is looked for in the order of usernames. */
const DEEPEST = 2000;

/** What username, e-mail address or a name has to begin with; undefined where a filter asks for more than that, or for anything. */
export function beginningOf({ search, ...others }: UserFilter): Beginning | undefined {
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const [only, ...more] = wordsOf(search);
  if (only === undefined || more.length > 0) return undefined;
  const { quoted } = only;
  if (quoted !== undefined) return { from: quoted.toLowerCase(), below: undefined };
  const from = only.word.toLowerCase().replace(/\*+$/, '');
  const below = from.includes('*') ? undefined : successor(from);
  return below === undefined ? undefined : { from, below };
}

/** The first text behind all that begin with this one, in the order of code points; undefined where there is none. */
function successor(text: string): string | undefined {
  const characters = [...text];
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return undefined;
    // Halves of a pair are no characters.
    if (code < 0x10ffff) return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
}

/**
 * A page of those who have such a text: an index for each kind of text leads to them, and the first of each are brought into the
 * order of usernames. It takes the longer the more there are, by nothing but that index.
 * @returns undefined for a page that is too far behind
 */
export function pageByBeginning(
  { dialect }: Reader,
  realm: string,
  { from, below }: Beginning,
  { columns, first, max, after }: { columns: string; first: number; max: number; after: string },
): readonly [sql: string, ...Parameter[]] | undefined {
  if (first + max > DEEPEST) return undefined;
  const parameters: Parameter[] = [realm];
  const bind = binding(parameters);
  const [begin, end] = [bind(from), below === undefined ? undefined : bind(below)];
  const behind = after === '' ? '' : ` AND h.username > ${bind(after)}`;
  const range = (text: string) =>
    end === undefined ? `${text} = ${begin}` : `${text} >= ${begin} AND ${text} < ${end}`;
  // A user may be there by three texts.
  const limit = `LIMIT ${bind(3 * (first + max))}`;
  const part = (source: string, text: string, where: string, order: string) =>
    `SELECT id, username FROM (SELECT h.id, h.username FROM ${source} WHERE h.realm = $1 AND ${where} AND ${range(text)}${behind} ` +
    `ORDER BY ${order} ${limit}) p`;
  const { texts, plain } = dialect.users;
  // Texts that are the same are in the order of usernames already.
  const order = end === undefined ? 'h.username' : plain('h.username');
  const people = "COALESCE(h.service_account_client, '') = ''";
  const parts = [
    part('users h', 'h.username', people, 'h.username'),
    ...texts.map(({ from: source, text, where = '1 = 1' }) => part(source, text, where, order)),
  ];
  const shown = columns.replace(/\w+/g, 'u.$&');
  return [
    `WITH page AS (SELECT id, username FROM (${parts.join(' UNION ')}) found ORDER BY username LIMIT ${bind(max)} OFFSET ${bind(first)}) ` +
      `SELECT ${shown} FROM page CROSS JOIN users u WHERE u.realm = $1 AND u.id = page.id ORDER BY u.username`,
    ...parameters,
  ];
}
