import { defined } from '../../model/defined.js';
import type { UserFilter } from '../../store/store.js';
import { AdminError } from '../admin.js';
import { ATTRIBUTE_QUERY, parseAttributeQuery } from '../attribute-query.js';
import type { AdminQuery, QueryParameter } from '../query.js';

/** Maximum number of words in a search: each is compared with every user. */
const MAX_CONDITIONS = 20;

/** Filters of user searches, as in Keycloak. */
export const USER_FILTERS = {
  search: {
    type: 'string',
    description:
      'Words that the username, the email address or a name begins with; `*` matches any text, `"x"` exactly x. ' +
      '`id:` and ids: these users.',
  },
  username: { type: 'string' },
  email: { type: 'string' },
  firstName: { type: 'string' },
  lastName: { type: 'string' },
  exact: { type: 'boolean', description: 'username, email, firstName and lastName are the whole value.' },
  enabled: { type: 'boolean' },
  emailVerified: { type: 'boolean' },
  idpAlias: { type: 'string', description: 'Linked to that identity provider.' },
  idpUserId: { type: 'string', description: 'ID of the user at an identity provider; requires idpAlias.' },
  q: {
    ...ATTRIBUTE_QUERY,
    description: `${ATTRIBUTE_QUERY.description} Names of the filters here mean these filters, and take precedence.`,
  },
} as const satisfies Record<string, QueryParameter>;

/** Only for lists of users: an offset becomes slower the more users it skips. */
export const AFTER = {
  after: {
    type: 'string',
    description:
      'Only users whose usernames come after this one: with the last username of a page, the next page. A late page is as fast as the first.',
  },
} as const satisfies Record<string, QueryParameter>;

/**
 * The IDs in `search=id:…`.
 * @throws AdminError 400 for more than 20
 */
export function searchedIds(query: AdminQuery): readonly string[] | undefined {
  const search = query.string('search')?.trim();
  if (search === undefined || !search.startsWith('id:')) return undefined;
  return limited('search', [...new Set(search.slice(3).split(/\s+/).filter(Boolean))]);
}

/**
 * The filter of a request, without paging. As in Keycloak, service accounts are found by filters of single members
 * only. A `search`, and a list without filters, leave them out.
 * @throws AdminError 400
 */
export function userFilter(query: AdminQuery): UserFilter {
  const search = query.string('search')?.trim();
  if (search !== undefined) {
    limited('search', search.split(/\s+/));
    return { search, ...defined({ enabled: query.boolean('enabled'), emailVerified: query.boolean('emailVerified') }) };
  }
  const pairs = parseAttributeQuery(query);
  const text = (name: string) => pairs.get(name) ?? query.string(name);
  const flag = (name: string) => flagOf(name, pairs.get(name)) ?? query.boolean(name);
  const alias = text('idpAlias');
  const userId = text('idpUserId');
  if (alias === undefined && userId !== undefined) throw refused('idpUserId', 'needs idpAlias');
  const own = [...pairs].filter(([name]) => !FILTERED.has(name));
  const filter: UserFilter = defined({
    ...defined({ username: text('username'), email: text('email') }),
    ...defined({ firstName: text('firstName'), lastName: text('lastName') }),
    exact: flag('exact'),
    enabled: flag('enabled'),
    emailVerified: flag('emailVerified'),
    attributes: own.length === 0 ? undefined : Object.fromEntries(own),
    identityProvider: alias === undefined ? undefined : { alias, ...defined({ userId }) },
  });
  return Object.keys(filter).length === 0 ? filter : { ...filter, serviceAccounts: true };
}

/** Keys of `q` that are filters and not attributes. */
const FILTERED: ReadonlySet<string> = new Set([
  'username',
  'email',
  'firstName',
  'lastName',
  'exact',
  'enabled',
  'emailVerified',
  'idpAlias',
  'idpUserId',
]);

/** @throws AdminError 400 */
function flagOf(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw refused('q', `${name}: must be true or false`);
}

function limited<T>(name: string, conditions: readonly T[]): readonly T[] {
  if (conditions.length > MAX_CONDITIONS) throw refused(name, `must have ${MAX_CONDITIONS} parts at most`);
  return conditions;
}

function refused(name: string, reason: string): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: `Query parameter ${name} ${reason}` });
}
