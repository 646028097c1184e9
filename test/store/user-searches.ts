import type { ExecutionContext } from 'ava';
import type { Reader } from '../../core/store/engine/engine.js';
import type { Parameter } from '../../core/store/engine/operation.js';
import { pageByIndex, pageOfManyHits } from '../../core/store/records/users/page-by-index.js';
import { piecesOf } from '../../core/store/records/users/pieces.js';
import { UserRecords } from '../../core/store/records/users/users.js';
import type { UserFilter } from '../../core/store/store.js';
import { REALM } from './records.js';

/** A database, with the reader of its store. */
export interface SearchableDatabase {
  readonly reader: Reader;
  /** Writes rows without any work for the index, as an older Keyhost does. */
  write(rows: readonly Row[]): Promise<void>;
  run(sql: string): Promise<void>;
  /** Creates the index of searches. */
  index(): Promise<void>;
  /** Returns the database's plan for a statement. */
  plan(sql: string, parameters: readonly Parameter[]): Promise<string>;
  /** Patterns for plans: the use of the search index, reading texts in order, and a scan of all users. */
  readonly planPatterns: { readonly index: RegExp; readonly texts: RegExp; readonly all: RegExp };
}

export interface Row {
  readonly realm: string;
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

const FIRST_NAMES = [
  'maria',
  'jürgen',
  'zoë',
  'émile',
  'peter',
  'anna',
  'björn',
  'yuki',
  'o%k',
  'a_b',
  "d'or",
  'x"y',
  'b\\s',
];
const LAST_NAMES = [
  'müller',
  'schmidt',
  'garcía',
  'öztürk',
  'weiß',
  'lee',
  'zimmermann',
  'nguyễn',
  'straße',
  'van der meer',
];
const USERS = 24_000;
/** From this number on, every second user has a last name that no earlier user has. */
const FIRST_LATE_USER = 18_000;
const RARE_USERNAME = 'quixotic';

function testRows(): Row[] {
  const made = Array.from({ length: USERS }, (_, n): Row => {
    const [first = '', last = ''] = [FIRST_NAMES[n % FIRST_NAMES.length], LAST_NAMES[(n * 7) % LAST_NAMES.length]];
    const username = `user${String(n).padStart(6, '0')}`;
    const email = n % 4 === 0 ? null : `${last.replaceAll(' ', '.')}.${n}@example.com`;
    const late = n >= FIRST_LATE_USER && n % 2 === 0 ? 'spätling' : last;
    return { realm: REALM, id: `id-${n}`, username, email, first_name: first, last_name: n % 9 === 0 ? null : late };
  });
  const rowWith = (id: string, more: Partial<Row>): Row => ({
    realm: REALM,
    id,
    username: id,
    email: null,
    first_name: null,
    last_name: null,
    ...more,
  });
  const astral = (username: string, id: string) => rowWith(id, { username, last_name: 'beyond' });
  return [
    // By UTF-16 units the characters beyond U+FFFF precede these three; by code points they follow them.
    ...['\uffee1', '\uffee2', '\uffee3'].map((username, n) => astral(username, `a-${n}`)),
    ...made,
    ...Array.from({ length: 12 }, (_, n) => astral(`\u{1f600}${n}`, `zz-${n}`)),
    rowWith(RARE_USERNAME, { email: 'späth@xn.example', last_name: 'ß' }),
    rowWith('zz-long', { first_name: `${'lang'.repeat(200)}needle` }),
    rowWith('elsewhere', { realm: 'other', first_name: RARE_USERNAME }),
  ];
}

/** Decides by definition whether a filter finds a row. The tests compare the engines with it. */
function matches({ username, email, first_name, last_name }: Row, filter: UserFilter): boolean {
  const texts = [username, email, first_name, last_name];
  const words = [...(filter.search ?? '').matchAll(/"([^"]*)"|(\S+)/g)];
  const quote = (text: string) => text.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return (
    words.every(([, exact, word = '']) => {
      const pattern = exact === undefined ? `^${word.split('*').map(quote).join('.*')}` : `^${quote(exact)}$`;
      return texts.some((text) => text !== null && new RegExp(pattern, 'su').test(text));
    }) &&
    (
      [
        [filter.username, username],
        [filter.email, email],
        [filter.firstName, first_name],
        [filter.lastName, last_name],
      ] as const
    ).every(([wanted, text]) => wanted === undefined || text?.includes(wanted.toLowerCase()) === true)
  );
}

const searchFor = (search: string): UserFilter => ({ search });
const SEARCHES: readonly UserFilter[] = [
  ...[
    'm',
    'q',
    'qu',
    'QUIX',
    RARE_USERNAME,
    'zz',
    'ma',
    'MÜL',
    'müller',
    'Ö',
    'é',
    'ß',
    'weiß',
    'STRASSE',
    'ж',
    'xq',
  ].map(searchFor),
  ...['*e*', '*x*', '*xo*', '*Ü*', '*üll*', '*%*', '*_*', 'o%k', 'a_b', "d'or", '*\\*', '*11999*', '*@*', '*qqq*'].map(
    searchFor,
  ),
  ...[
    '*needle',
    'lang*needle',
    'maria müll',
    'maria "lee"',
    '"maria"',
    '"mari"',
    'u*r0*7',
    '*z*n*',
    'van der',
    'x"y',
  ].map(searchFor),
  ...['spätl', 'SPÄT', '"spätling"', 'spätling*', 'sp*ling', '*ätl*', 'ma*', '\u{10ffff}', 'a\u{10ffff}'].map(
    searchFor,
  ),
  ...['user0', 'user00000', 'user000017', '"user000017"', '*', '\x01', '*\x02*', '""', '*nguyễn*', 'späth@'].map(
    searchFor,
  ),
  { lastName: 'ÜLL' },
  { lastName: 'ss' },
  { firstName: 'needle' },
  { email: 'späth' },
  { email: '.1199' },
  { username: 'r00001', firstName: 'zo' },
  { username: 'ixo', lastName: 'ß' },
];
/** Searches whose matches the database finds by its index alone. */
const SELECTIVE: readonly UserFilter[] = [
  ...['qu', 'q', 'QUIX', 'ж', 'xq', '*xo*', '*qqq*', '*11999*', 'späth@', 'maria "user000013"'].map(searchFor),
  { email: 'späth' },
];
/** Searches with many matches, none of which is among the first users that are read. */
const LATE_MATCHES: readonly UserFilter[] = ['spätl', 'spät', '"spätling"', 'spätlin*'].map(searchFor);
const PAGES = [
  { first: 0, max: 5 },
  { first: 3, max: 4 },
  { first: 40, max: 2, after: 'user011000' },
  { first: 0, max: 3, after: 'user023990' },
];

/** Checks searches in the way that every engine must pass. */
export async function checkUserSearches(t: ExecutionContext, searched: SearchableDatabase): Promise<void> {
  const all = testRows();
  const executedQueries: [sql: string, parameters: Parameter[]][] = [];
  const recordQuery =
    <Answer>(ask: (sql: string, ...parameters: Parameter[]) => Answer) =>
    (sql: string, ...parameters: Parameter[]): Answer => {
      executedQueries.push([sql, parameters]);
      return ask(sql, ...parameters);
    };
  const { reader } = searched;
  const users = new UserRecords(
    {
      dialect: reader.dialect,
      isShared: reader.isShared,
      get: <R>(sql: string, ...parameters: Parameter[]) =>
        recordQuery((...asking) => reader.get<R>(...asking))(sql, ...parameters),
      all: <R>(sql: string, ...parameters: Parameter[]) =>
        recordQuery((...asking) => reader.all<R>(...asking))(sql, ...parameters),
    },
    undefined as never,
  );
  const foundUsernames = async (filter: UserFilter, page: object) =>
    (await users.find(REALM, { ...filter, ...page })).map(({ username }) => username);
  const checkFilters = async (known: readonly Row[], filters: readonly UserFilter[], when: string) => {
    const ordered = known.filter(({ realm }) => realm === REALM).sort((a, b) => (a.username < b.username ? -1 : 1));
    for (const filter of filters) {
      const told = `${when}: ${JSON.stringify(filter)}`;
      const found = ordered.filter((row) => matches(row, filter)).map(({ username }) => username);
      for (const { first, max, after = '' } of PAGES) {
        const page = found.filter((name) => name > after).slice(first, first + max);
        t.deepEqual(await foundUsernames(filter, { first, max, after }), page, `${told} from ${first} behind ${after}`);
      }
      const { count, isEstimate } = await users.countRoughly(REALM, filter);
      if (found.length <= 10_000) t.deepEqual({ count, isEstimate }, { count: found.length, isEstimate: false }, told);
      else if (!isEstimate) t.is(count, found.length, told);
      else t.true(count > 10_000 && Math.abs(count / found.length - 1) < 0.25, `${told}: ${count} for ${found.length}`);
    }
  };
  await searched.write(all.slice(0, -3000));
  await checkFilters(all.slice(0, -3000), SELECTIVE, 'before the index');
  await searched.index();
  // Users who are added later are indexed with the others.
  await searched.write(all.slice(-3000));
  await checkFilters(all, SEARCHES, 'by the index');

  for (const filter of SELECTIVE) {
    executedQueries.length = 0;
    await foundUsernames(filter, { max: 20 });
    const plans: string[] = [];
    for (const [sql, parameters] of [...executedQueries]) plans.push(await searched.plan(sql, parameters));
    t.true(
      plans.some((plan) => searched.planPatterns.index.test(plan)),
      `${JSON.stringify(filter)}\n${plans.join('\n\n')}`,
    );
    for (const plan of plans) t.notRegex(plan, searched.planPatterns.all, JSON.stringify(filter));
  }
  for (const filter of LATE_MATCHES) {
    executedQueries.length = 0;
    t.is((await foundUsernames(filter, { max: 20 })).length, 20);
    const plans: string[] = [];
    for (const [sql, parameters] of [...executedQueries]) plans.push(await searched.plan(sql, parameters));
    t.regex(plans.at(-1) ?? '', searched.planPatterns.texts, JSON.stringify(filter));
    for (const plan of plans) t.notRegex(plan, searched.planPatterns.all, JSON.stringify(filter));
    t.true(executedQueries.length <= 6, 'nobody walks to them');
  }
  const second = { columns: 'id', first: 1, max: 1, after: '' };
  t.deepEqual(await pageOfManyHits(reader, REALM, searchFor('beyond'), piecesOf(searchFor('beyond')), second), [
    { id: 'a-1' },
  ]);
  for (const filter of [searchFor('*ätl*'), searchFor('*e*'), searchFor('*ari* *üll*'), { lastName: 'ari' }]) {
    for (const { first, max, after = '' } of PAGES) {
      const asking = [reader, REALM, filter, piecesOf(filter), { columns: 'id', first, max, after }] as const;
      const far = await pageOfManyHits(...asking);
      if (far !== undefined) t.deepEqual(far, await pageByIndex(...asking), JSON.stringify(filter));
      // Only first names contain `ari`, so a search in last names gives up early, except on the last page, which is
      // complete.
      t.is(far === undefined, filter.lastName !== undefined && after !== 'user023990', JSON.stringify(filter));
    }
  }
  executedQueries.length = 0;
  await foundUsernames({}, { after: 'user023990', max: 3 });
  t.true(executedQueries.length <= 2, 'a late page is one piece of an index');
  for (const [sql, parameters] of executedQueries)
    t.notRegex(await searched.plan(sql, parameters), searched.planPatterns.all);

  const changed = all
    .filter(({ id }) => id !== 'id-17')
    .map((row) => (row.id === RARE_USERNAME ? { ...row, email: null, first_name: 'renamed' } : row));
  await searched.run(`DELETE FROM users WHERE id = 'id-17'`);
  await searched.run(
    `UPDATE users SET email = NULL, first_name = 'renamed', version = 2 WHERE id = '${RARE_USERNAME}'`,
  );
  await checkFilters(
    changed,
    [searchFor('user000017'), searchFor('späth@'), searchFor('renam'), searchFor('QUIX')],
    'after changes',
  );
}
