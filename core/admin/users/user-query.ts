import { defined } from '../../model/defined.js';
import type { UserFilter } from '../../store/store.js';
import { AdminError } from '../admin.js';
import type { AdminQuery, QueryParameter } from '../query.js';

/** Most words of a search, and most attributes of `q`: each is looked for in every user. */
const MOST_CONDITIONS = 20;

/** What users are searched by, as in Keycloak. */
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
  q: { type: 'string', description: 'Attributes: `key1:value1 "key 2":"value 2"`.' },
} as const satisfies Record<string, QueryParameter>;

/**
 * The ids that `search=id:…` asks for.
 * @throws AdminError 400 for more than 20
 */
export function searchedIds(query: AdminQuery): readonly string[] | undefined {
  const search = query.string('search')?.trim();
  if (search === undefined || !search.startsWith('id:')) return undefined;
  return limited('search', [...new Set(search.slice(3).split(/\s+/).filter(Boolean))]);
}

/**
 * Users that a request asks for, without paging. Service accounts are found by what they are called, as in Keycloak, and
 * are in no list else.
 * @throws AdminError 400
 */
export function userFilter(query: AdminQuery): UserFilter {
  const search = query.string('search')?.trim();
  const enabled = query.boolean('enabled');
  const emailVerified = query.boolean('emailVerified');
  const states = defined({ enabled, emailVerified });
  if (search !== undefined) {
    limited('search', search.split(/\s+/));
    return { search, ...states };
  }
  const texts = (['username', 'email', 'firstName', 'lastName'] as const).flatMap((name) => {
    const value = query.string(name);
    return value === undefined ? [] : [[name, value]];
  });
  const attributes = searchedAttributes(query);
  const alias = query.string('idpAlias');
  const userId = query.string('idpUserId');
  if (alias === undefined && userId !== undefined) throw refused('idpUserId', 'needs idpAlias');
  const filter: UserFilter = {
    ...Object.fromEntries(texts),
    ...(query.boolean('exact') === true ? { exact: true } : {}),
    ...states,
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
    ...(alias === undefined ? {} : { identityProvider: { alias, ...defined({ userId }) } }),
  };
  return Object.keys(filter).length === 0 ? filter : { ...filter, serviceAccounts: true };
}

/**
 * The attributes of `q`.
 * @throws AdminError 400
 */
export function searchedAttributes(query: AdminQuery): Readonly<Record<string, string>> {
  const pairs = [...(query.string('q') ?? '').matchAll(/(?:"([^"]+)"|([^\s:"]+)):(?:"([^"]*)"|(\S+))/g)];
  return Object.fromEntries(
    limited('q', pairs).map(([, quotedKey, key, quotedValue, value]) => [quotedKey ?? key, quotedValue ?? value]),
  );
}

function limited<T>(name: string, conditions: readonly T[]): readonly T[] {
  if (conditions.length > MOST_CONDITIONS) throw refused(name, `must have ${MOST_CONDITIONS} parts at most`);
  return conditions;
}

function refused(name: string, reason: string): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: `Query parameter ${name} ${reason}` });
}
