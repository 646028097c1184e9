import type { UserTexts } from '../../engine/dialect.js';
import type { Reader } from '../../engine/engine.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';
import { columnsOfUser, type Page } from './page-by-index.js';
import { createBinder, wordsOf } from './user-conditions.js';

/** A prefix that one of a user's texts must have, or the whole text. */
export interface TextPrefix {
  readonly from: string;
  /** The first text after all texts with this prefix; undefined if `from` is the whole text. */
  readonly end: string | undefined;
}

/** A prefix with the texts that have it, if these are few, by the index of their column. */
export interface PrefixWithTexts extends TextPrefix {
  readonly shared: ReadonlyMap<number, readonly string[]>;
}

/** Maximum number of different texts that are looked up individually. */
const MAX_SHARED_TEXTS = 200;
/** Beyond this position, a page is searched in the order of usernames. */
const MAX_PAGE_END = 2000;
/** Greater than every text. */
const LAST_TEXT = '\u{10ffff}';
/** Reading this many texts takes longer than reading a few thousand users in the order of the page. */
const MANY_TEXTS = 10_000;

/**
 * Returns the prefix that the username, the email address or a name must have; undefined if the filter has other
 * conditions, or none.
 */
export function prefixOf({ search, ...otherConditions }: UserFilter): TextPrefix | undefined {
  if (Object.values(otherConditions).some((value) => value !== undefined)) return undefined;
  const [firstWord, ...otherWords] = wordsOf(search);
  if (firstWord === undefined || otherWords.length > 0) return undefined;
  const { quoted } = firstWord;
  if (quoted !== undefined) return { from: quoted.toLowerCase(), end: undefined };
  const from = firstWord.word.toLowerCase().replace(/\*+$/, '');
  const below = from.includes('*') ? undefined : successor(from);
  return below === undefined ? undefined : { from, end: below };
}

/** Returns the first text after all texts with this prefix, in the order of code points; undefined if there is none. */
function successor(text: string): string | undefined {
  const characters = [...text];
  for (;;) {
    const code = characters.pop()?.codePointAt(0);
    if (code === undefined) return undefined;
    // Skip surrogates, which are not characters.
    if (code < 0x10ffff) return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
}

/** True if the page is so early that everything before it can be sorted. */
export function isNear({ first, max }: Pick<Page, 'first' | 'max'>): boolean {
  return first + max <= MAX_PAGE_END;
}

/**
 * Returns a page of the users who have a text with this prefix. The first users of each text are found by an index for
 * each column, and sorted by username. Among equal texts the index is already in that order; different texts are read
 * from the index alone.
 */
export async function pageByPrefix<Row>(
  reader: Reader,
  realm: string,
  { from, end: below, shared }: PrefixWithTexts,
  { columns, first, max, after }: Page,
): Promise<readonly Row[]> {
  const parameters: Parameter[] = [realm];
  const bind = createBinder(parameters);
  const fromPlaceholder = bind(from);
  const end = below === undefined ? undefined : bind(below);
  const behind = after === '' ? '' : ` AND h.username > ${bind(after)}`;
  const range = (text: string) =>
    end === undefined ? `${text} = ${fromPlaceholder}` : inRange(text, '>=', fromPlaceholder, end);
  const pageEnd = bind(first + max);
  const threePageEnds = bind(3 * (first + max));
  const sorted = ({ from: source, where = '1 = 1' }: UserTexts, which: string, order: string, limit: string) =>
    `SELECT h.id, h.username FROM ${source} WHERE h.realm = $1 AND ${where} AND ${which}${behind} ORDER BY ${order} LIMIT ${limit}`;
  const { texts, withoutIndexOrder, firstOfEach } = reader.dialect.users;
  const subqueries = texts.flatMap((text, index) => {
    const sharedTextList = shared.get(index);
    if (sharedTextList !== undefined) {
      if (sharedTextList.length === 0) return [];
      return [
        firstOfEach(text, {
          list: bind(JSON.stringify(sharedTextList)),
          most: pageEnd,
          after: after === '' ? undefined : bind(after),
        }),
      ];
    }
    const order = end === undefined ? 'h.username' : withoutIndexOrder('h.username');
    // Sort only the users who come before the last username of the page that usernames alone fill. A user may occur
    // three times, once for each text.
    const near = `${range(text.text)} AND ${withoutIndexOrder('h.username')} < COALESCE((SELECT username FROM last), ${bind(LAST_TEXT)})`;
    return [`SELECT id, username FROM (${sorted(text, near, order, threePageEnds)}) p`];
  });
  subqueries.unshift('SELECT id, username FROM named');
  const personTexts = { from: 'users h', text: 'h.username', where: "COALESCE(h.service_account_client, '') = ''" };
  const named = sorted(personTexts, range(personTexts.text), 'h.username', pageEnd);
  const last = `SELECT username FROM named ORDER BY username LIMIT 1 OFFSET ${bind(first + max - 1)}`;
  return reader.all<Row>(
    `WITH named AS MATERIALIZED (${named}), last AS MATERIALIZED (${last}), ` +
      `page AS (SELECT id, username FROM (${subqueries.join(' UNION ')}) found ORDER BY username LIMIT ${bind(max)} OFFSET ${bind(first)}) ` +
      `SELECT ${columnsOfUser(columns)} FROM page CROSS JOIN users u WHERE u.realm = $1 AND u.id = page.id ORDER BY u.username`,
    ...parameters,
  );
}

/** Looks up the texts with this prefix, if they are few. */
export async function withSharedTexts(reader: Reader, realm: string, beginning: TextPrefix): Promise<PrefixWithTexts> {
  return { ...beginning, shared: await findSharedTexts(reader, realm, beginning) };
}

/**
 * True if it is faster to search in the order of usernames first, because `pageByPrefix` would read too many names.
 * Email addresses do not count, because a user with a matching address often has a matching username.
 */
export async function areManyTexts(
  reader: Reader,
  realm: string,
  { from, end: below, shared }: PrefixWithTexts,
): Promise<boolean> {
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

async function findSharedTexts(
  reader: Reader,
  realm: string,
  { from, end: below }: TextPrefix,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const textsByColumn = new Map<number, string[]>();
  const sharedColumns = [...reader.dialect.users.texts.entries()].filter(([, { areShared }]) => areShared === true);
  if (below === undefined || sharedColumns.length === 0) return textsByColumn;
  const next = ({ from: source, text, where = '1 = 1' }: UserTexts, comparison: string, than: string) =>
    `SELECT ${text} AS text FROM ${source} WHERE h.realm = $1 AND ${where} AND ${inRange(text, comparison, than, '$3')} ORDER BY ${text} LIMIT 1`;
  // Each text leads to the next, so that the server does not read all users who have it.
  const lists = sharedColumns.map(
    ([index, kind]) =>
      `k${index} (text, n) AS (SELECT text, 1 FROM (${next(kind, '>=', '$2')}) f UNION ALL ` +
      `SELECT (${next(kind, '>', 'k.text')}), k.n + 1 FROM k${index} k WHERE k.text IS NOT NULL AND k.n <= ${MAX_SHARED_TEXTS + 1})`,
  );
  const rows = await reader.all<{ kind: number; text: string }>(
    `WITH RECURSIVE ${lists.join(', ')} ` +
      sharedColumns.map(([index]) => `SELECT ${index} AS kind, text FROM k${index}`).join(' UNION ALL '),
    realm,
    from,
    below,
  );
  for (const [index] of sharedColumns) {
    const texts = rows.flatMap(({ kind, text }) => (Number(kind) === index && text !== null ? [text] : []));
    if (texts.length <= MAX_SHARED_TEXTS) textsByColumn.set(index, texts);
  }
  return textsByColumn;
}

function inRange(text: string, comparison: string, than: string, end: string): string {
  return `${text} ${comparison} ${than} AND ${text} < ${end}`;
}
