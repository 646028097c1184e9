import type { Dialect } from '../../engine/dialect.js';
import type { Parameter } from '../../engine/operation.js';
import type { UserFilter } from '../../store.js';

/** A filter as the condition of a query over `users u`, with its parameters from `$1` (the realm) on. */
export function userConditions(
  dialect: Dialect,
  realm: string,
  filter: UserFilter,
): { where: string; parameters: Parameter[] } {
  const parameters: Parameter[] = [realm];
  const conditions = ['u.realm = $1'];
  const bind = binding(parameters);
  const matches = (columns: readonly string[], pattern: string) => {
    const bound = bind(pattern);
    conditions.push(`(${columns.map((column) => `u.${column} LIKE ${bound} ESCAPE '\\'`).join(' OR ')})`);
  };
  // Written so that no index over it is taken: nearly every user meets the condition.
  if (filter.serviceAccounts !== true) conditions.push("COALESCE(u.service_account_client, '') = ''");
  for (const word of words(filter.search)) matches(['username', 'email', 'first_name', 'last_name'], word);
  for (const [column, value] of [
    ['username', filter.username],
    ['email', filter.email],
    ['first_name', filter.firstName],
    ['last_name', filter.lastName],
  ] as const) {
    if (value === undefined) continue;
    if (filter.exact === true) conditions.push(`u.${column} = ${bind(value.toLowerCase())}`);
    else matches([column], `%${escaped(value)}%`);
  }
  for (const member of ['enabled', 'emailVerified'] as const) {
    const wanted = filter[member];
    if (wanted === undefined) continue;
    conditions.push(`${dialect.isTrue('u.representation', member)} = ${bind(wanted ? 1 : 0)}`);
  }
  for (const [name, value] of Object.entries(filter.attributes ?? {})) {
    if (value === '') {
      conditions.push('1 = 0');
      continue;
    }
    const pattern = filter.exact === false ? `%${literal(value)}%` : literal(value);
    conditions.push(dialect.listHas('u.representation', 'attributes', bind(name), bind(pattern)));
  }
  const { holds, identityProvider } = filter;
  if (holds !== undefined) {
    conditions.push(
      'EXISTS (SELECT 1 FROM user_holdings h WHERE h.realm = $1 ' +
        `AND h.kind = ${bind(holds.kind)} AND h.container = ${bind(holds.clientId ?? '')} ` +
        `AND h.name = ${bind(holds.name)} AND h.user_id = u.id)`,
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

/** @returns what adds a value to the parameters, and answers its placeholder */
export function binding(parameters: Parameter[]): (value: Parameter) => string {
  return (value) => {
    // The driver ends a text at its first NUL, and would find what matches the text before it.
    parameters.push(typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);
    return `$${parameters.length}`;
  };
}

/** Patterns for LIKE: a word matches from the start, `"x"` exactly, `*` in a word any text. */
function words(search: string | undefined): string[] {
  return wordsOf(search).map(({ quoted, word }) =>
    quoted === undefined ? `${escaped(word).replace(/\*+/g, '%')}${word.endsWith('*') ? '' : '%'}` : escaped(quoted),
  );
}

/** The words of a search: each in quotes, or not. */
export function wordsOf(search: string | undefined): { readonly quoted: string | undefined; readonly word: string }[] {
  return [...(search ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => ({ quoted, word }));
}

/** Escapes the wildcards of LIKE. */
function escaped(text: string): string {
  return literal(text.toLowerCase());
}

function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
