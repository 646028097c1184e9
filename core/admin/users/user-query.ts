import { defined } from '../../model/defined.js';
import type { UserFilter } from '../../store/store.js';
import { AdminError } from '../admin.js';
import { ATTRIBUTE_QUERY, parseAttributeQuery } from '../attribute-query.js';
import type { AdminQuery, QueryParameter } from '../query.js';

/** Maximum number of words or IDs in a search. Each word is compared with every user. */
const MAX_CONDITIONS = 20;

/** Keycloak's filters for searching users. */
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

/** A parameter for lists of users. It is faster than an offset, which becomes slower the more users it skips. */
export const AFTER_PARAMETER = {
  after: {
    type: 'string',
    description:
      'Only users whose usernames come after this one: with the last username of a page, the next page. A late page is as fast as the first.',
  },
} as const satisfies Record<string, QueryParameter>;

/**
 * Parses the IDs of `search=id:…`. Undefined for any other search.
 * @throws AdminError 400 for more than 20
 */
export function parseSearchedIds(query: AdminQuery): readonly string[] | undefined {
  const search = query.string('search')?.trim();
  if (search === undefined || !search.startsWith('id:')) return undefined;
  return requireFewConditions('search', [...new Set(search.slice(3).split(/\s+/).filter(Boolean))]);
}

/**
 * Parses the filter of a request, without paging. As in Keycloak, only filters of single members find service accounts.
 * A `search`, and a list without filters, leave them out.
 * @throws AdminError 400
 */
export function parseUserFilter(query: AdminQuery): UserFilter {
  const search = query.string('search')?.trim();
  if (search !== undefined) {
    requireFewConditions('search', search.split(/\s+/));
    return { search, ...defined({ enabled: query.boolean('enabled'), emailVerified: query.boolean('emailVerified') }) };
  }
  const pairs = parseAttributeQuery(query);
  const text = (name: string) => pairs.get(name) ?? query.string(name);
  const flag = (name: string) => parseFlag(name, pairs.get(name)) ?? query.boolean(name);
  const alias = text('idpAlias');
  const userId = text('idpUserId');
  if (alias === undefined && userId !== undefined) throw invalidParameterError('idpUserId', 'needs idpAlias');
  const attributes = [...pairs].filter(([name]) => !FILTER_NAMES.has(name));
  const filter: UserFilter = defined({
    ...defined({ username: text('username'), email: text('email') }),
    ...defined({ firstName: text('firstName'), lastName: text('lastName') }),
    exact: flag('exact'),
    enabled: flag('enabled'),
    emailVerified: flag('emailVerified'),
    attributes: attributes.length === 0 ? undefined : Object.fromEntries(attributes),
    identityProvider: alias === undefined ? undefined : { alias, ...defined({ userId }) },
  });
  return Object.keys(filter).length === 0 ? filter : { ...filter, serviceAccounts: true };
}

/** Keys of `q` that are names of filters, not of attributes. */
const FILTER_NAMES: ReadonlySet<string> = new Set([
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

/** Parses a flag in `q`. @throws AdminError 400 */
function parseFlag(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw invalidParameterError('q', `${name}: must be true or false`);
}

/** @throws AdminError 400 */
export function requireFewConditions<T>(name: string, conditions: readonly T[]): readonly T[] {
  if (conditions.length > MAX_CONDITIONS)
    throw invalidParameterError(name, `must have ${MAX_CONDITIONS} parts at most`);
  return conditions;
}

function invalidParameterError(name: string, reason: string): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: `Query parameter ${name} ${reason}` });
}
