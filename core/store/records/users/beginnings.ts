import type { UserTexts } from '../../engine/dialect.js';
import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';
import { type Page, shown } from './page-by-index.js';
import { binding, wordsOf } from './user-conditions.js';

/** A prefix that one of a user's texts must have, or the whole text. */
export interface Beginning {
  readonly from: string;
  /** The first text behind all that begin so; undefined: it is the whole text. */
  readonly below: string | undefined;
}

/** A prefix, with the texts that have it if these are few, by the index of their column. */
export interface Begun extends Beginning {
  readonly shared: ReadonlyMap<number, readonly string[]>;
}

/** Maximum number of different texts that are looked up individually. */
const MOST_TEXTS = 200;
/** Beyond, a page is looked for in the order of usernames. */
const DEEPEST = 2000;
/** Behind every text. */
const END = '\u{10ffff}';
/** Reading this many texts takes longer than a few thousand users in the order of the page. */
const MANY_TEXTS = 10_000;

/**
 * The prefix that username, email address or a name must have; undefined if the filter has further conditions, or none.
 */
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

/** The first text after all texts with this prefix, in the order of code points; undefined if there is none. */
function successor(text: string): string | undefined {
  const characters = [...text];
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return undefined;
    // Halves of a pair are no characters.
    if (code < 0x10ffff) return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
}

/** Whether the page is near enough to put all before it in order. */
export function isNear({ first, max }: Pick<Page, 'first' | 'max'>): boolean {
  return first + max <= DEEPEST;
}

/**
 * A page of the users who have a text with this prefix. An index for each column leads to them, and the first users of
 * each text are sorted by username. For equal texts the index has them in that order already; different ones are read,
 * from that index alone.
 */
export async function pageByBeginning<Row>(
  reader: Reader,
  realm: string,
  { from, below, shared }: Begun,
  { columns, first, max, after }: Page,
): Promise<readonly Row[]> {
  const parameters: Parameter[] = [realm];
  const bind = binding(parameters);
  const begin = bind(from);
  const end = below === undefined ? undefined : bind(below);
  const behind = after === '' ? '' : ` AND h.username > ${bind(after)}`;
  const range = (text: string) => (end === undefined ? `${text} = ${begin}` : inRange(text, '>=', begin, end));
  const most = bind(first + max);
  const thrice = bind(3 * (first + max));
  const sorted = ({ from: source, where = '1 = 1' }: UserTexts, which: string, order: string, limit: string) =>
    `SELECT h.id, h.username FROM ${source} WHERE h.realm = $1 AND ${where} AND ${which}${behind} ORDER BY ${order} LIMIT ${limit}`;
  const { texts, withoutIndexOrder, firstOfEach } = reader.dialect.users;
  const parts = texts.flatMap((text, index) => {
    const known = shared.get(index);
    if (known !== undefined) {
      if (known.length === 0) return [];
      return [
        firstOfEach(text, { list: bind(JSON.stringify(known)), most, after: after === '' ? undefined : bind(after) }),
      ];
    }
    const order = end === undefined ? 'h.username' : withoutIndexOrder('h.username');
    // Only those are sorted who come before the last of a page that usernames fill. A user may be there by three texts.
    const near = `${range(text.text)} AND ${withoutIndexOrder('h.username')} < COALESCE((SELECT username FROM last), ${bind(END)})`;
    return [`SELECT id, username FROM (${sorted(text, near, order, thrice)}) p`];
  });
  parts.unshift('SELECT id, username FROM named');
  const people = { from: 'users h', text: 'h.username', where: "COALESCE(h.service_account_client, '') = ''" };
  const named = sorted(people, range(people.text), 'h.username', most);
  const last = `SELECT username FROM named ORDER BY username LIMIT 1 OFFSET ${bind(first + max - 1)}`;
  return reader.all<Row>(
    `WITH named AS MATERIALIZED (${named}), last AS MATERIALIZED (${last}), ` +
      `page AS (SELECT id, username FROM (${parts.join(' UNION ')}) found ORDER BY username LIMIT ${bind(max)} OFFSET ${bind(first)}) ` +
      `SELECT ${shown(columns)} FROM page CROSS JOIN users u WHERE u.realm = $1 AND u.id = page.id ORDER BY u.username`,
    ...parameters,
  );
}

/** Looks up the texts with this prefix, if they are few. */
export async function withSharedTexts(reader: Reader, realm: string, beginning: Beginning): Promise<Begun> {
  return { ...beginning, shared: await sharedTexts(reader, realm, beginning) };
}

/**
 * True if `pageByBeginning` would read too many names that it is faster to search in the order of usernames first.
 * Email addresses do not count: a user with a matching address often has a matching username, which is at the same
 * position.
 */
export async function areManyTexts(reader: Reader, realm: string, { from, below, shared }: Begun): Promise<boolean> {
  if (below === undefined) return false;
  const counts = reader.dialect.users.texts.flatMap(({ from: source, text, where = '1 = 1', areShared }, index) =>
    areShared !== true || shared.has(index)
      ? []
      : [
          `(SELECT count(*) FROM (SELECT 1 FROM ${source} WHERE h.realm = $1 AND ${where} AND ` +
            `${inRange(text, '>=', '$2', '$3')} LIMIT ${MANY_TEXTS}) few)`,
        ],
  );
  if (counts.length === 0) return false;
  const [row] = await reader.all<{ texts: number }>(`SELECT ${counts.join(' + ')} AS texts`, realm, from, below);
  return Number(row?.texts) >= MANY_TEXTS;
}

async function sharedTexts(
  reader: Reader,
  realm: string,
  { from, below }: Beginning,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, string[]>();
  const kinds = [...reader.dialect.users.texts.entries()].filter(([, { areShared }]) => areShared === true);
  if (below === undefined || kinds.length === 0) return found;
  const next = ({ from: source, text, where = '1 = 1' }: UserTexts, comparison: string, than: string) =>
    `SELECT ${text} AS text FROM ${source} WHERE h.realm = $1 AND ${where} AND ${inRange(text, comparison, than, '$3')} ORDER BY ${text} LIMIT 1`;
  // Each one leads to the next: the server does not go through all who have it.
  const lists = kinds.map(
    ([index, kind]) =>
      `k${index} (text, n) AS (SELECT text, 1 FROM (${next(kind, '>=', '$2')}) f UNION ALL ` +
      `SELECT (${next(kind, '>', 'k.text')}), k.n + 1 FROM k${index} k WHERE k.text IS NOT NULL AND k.n <= ${MOST_TEXTS + 1})`,
  );
  const rows = await reader.all<{ kind: number; text: string }>(
    `WITH RECURSIVE ${lists.join(', ')} ` +
      kinds.map(([index]) => `SELECT ${index} AS kind, text FROM k${index}`).join(' UNION ALL '),
    realm,
    from,
    below,
  );
  for (const [index] of kinds) {
    const texts = rows.flatMap(({ kind, text }) => (Number(kind) === index && text !== null ? [text] : []));
    if (texts.length <= MOST_TEXTS) found.set(index, texts);
  }
  return found;
}

function inRange(text: string, comparison: string, than: string, end: string): string {
  return `${text} ${comparison} ${than} AND ${text} < ${end}`;
}
