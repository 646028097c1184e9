import type { Dialect } from '../../engine/dialect.js';
import type { Parameter } from '../../engine/operation.js';
import type { Membership, UserFilter } from '../../store.js';
import { isStorable } from './holdings.js';

/** Returns a filter as a condition of a query on `users u`, with its parameters from `$1` (the realm) on. */
export function userConditions(
  dialect: Dialect,
  realm: string,
  filter: UserFilter,
): { where: string; parameters: Parameter[] } {
  const parameters: Parameter[] = [realm];
  const conditions = ['u.realm = $1'];
  const bind = createBinder(parameters);
  const addPattern = (columns: readonly string[], pattern: string) => {
    const bound = bind(pattern);
    conditions.push(`(${columns.map((column) => `u.${column} LIKE ${bound} ESCAPE '\\'`).join(' OR ')})`);
  };
  // Written so that no index is used for it, because nearly every user meets the condition.
  if (filter.serviceAccounts !== true) conditions.push("COALESCE(u.service_account_client, '') = ''");
  for (const word of likePatterns(filter.search)) addPattern(['username', 'email', 'first_name', 'last_name'], word);
  for (const [column, value] of [
    ['username', filter.username],
    ['email', filter.email],
    ['first_name', filter.firstName],
    ['last_name', filter.lastName],
  ] as const) {
    if (value === undefined) continue;
    if (filter.exact === true) conditions.push(`u.${column} = ${bind(value.toLowerCase())}`);
    else addPattern([column], `%${escapeLowerCase(value)}%`);
  }
  for (const member of ['enabled', 'emailVerified'] as const) {
    const expected = filter[member];
    if (expected === undefined) continue;
    conditions.push(`${dialect.isTrue('u.representation', member)} = ${bind(expected ? 1 : 0)}`);
  }
  for (const [name, value] of Object.entries(filter.attributes ?? {})) {
    if (value === '') {
      conditions.push('1 = 0');
      continue;
    }
    const pattern = filter.exact === false ? `%${escapeWildcards(value)}%` : escapeWildcards(value);
    conditions.push(dialect.listHas('u.representation', 'attributes', bind(name), bind(pattern)));
  }
  const { holds, holdsAny, identityProvider } = filter;
  if (holds !== undefined) {
    conditions.push(
      'EXISTS (SELECT 1 FROM user_holdings h WHERE h.realm = $1 ' +
        `AND h.kind = ${bind(holds.kind)} AND h.container = ${bind(holds.clientId ?? '')} ` +
        `AND h.name = ${bind(holds.name)} AND h.user_id = u.id)`,
    );
  }
  if (holdsAny !== undefined) {
    // The engine evaluates the inner list once, not for each user.
    conditions.push(
      'EXISTS (SELECT 1 FROM user_holdings h WHERE h.realm = $1 AND h.user_id = u.id AND (h.kind, h.container, h.name) ' +
        `IN (SELECT ${membershipColumns(dialect).join(', ')} FROM ${dialect.elements(bind(listOf(holdsAny)), 'm')}))`,
    );
  }
  if (identityProvider !== undefined) {
    const { alias, userId } = identityProvider;
    const byId = userId === undefined ? '' : ` AND h.name = ${bind(userId)}`;
    conditions.push(
      "EXISTS (SELECT 1 FROM user_holdings h WHERE h.realm = $1 AND h.kind = 'identity' " +
        `AND h.container = ${bind(alias)}${byId} AND h.user_id = u.id)`,
    );
  }
  return { where: conditions.join(' AND '), parameters };
}

/**
 * Returns memberships as a JSON list, whose items `membershipColumns` reads. Names that no user can have are left out.
 */
export function listOf(memberships: readonly Membership[]): string {
  const storable = memberships.filter(({ container, name }) => isStorable(container) && isStorable(name));
  return JSON.stringify(storable.map(({ kind, container, name }) => [kind, container, name]));
}

/** The kind, the container and the name of a membership `m`, as SQL. */
export function membershipColumns(dialect: Dialect): readonly string[] {
  return [0, 1, 2].map((index) => dialect.textAt('m.value', index));
}

/** Returns a function that adds a value to the parameters, and returns its placeholder. */
export function createBinder(parameters: Parameter[]): (value: Parameter) => string {
  return (value) => {
    // The driver cuts off a text at its first NUL, and would find users that match the part before it.
    parameters.push(typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);
    return `$${parameters.length}`;
  };
}

/** Returns the patterns for LIKE: a word is a prefix, `"x"` the whole text, and `*` in a word matches any text. */
function likePatterns(search: string | undefined): string[] {
  return wordsOf(search).map(({ quoted, word }) =>
    quoted === undefined
      ? `${escapeLowerCase(word).replace(/\*+/g, '%')}${word.endsWith('*') ? '' : '%'}`
      : escapeLowerCase(quoted),
  );
}

/** Returns the words of a search, each quoted or not. */
export function wordsOf(search: string | undefined): { readonly quoted: string | undefined; readonly word: string }[] {
  return [...(search ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => ({ quoted, word }));
}

/** Returns a text in lower case, with the wildcards of LIKE escaped. */
function escapeLowerCase(text: string): string {
  return escapeWildcards(text.toLowerCase());
}

function escapeWildcards(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
