import {
  HostError,
  type IdleUser,
  type JsonObject,
  type ManagedUser,
  type NewUser,
  type UserAdministration,
  type UserChange,
  type UserFilter,
} from '@keyhost/spi';
import type { Request } from './administered-realm.js';
import { expectCreated, expectDone, expectJson, expectOptional, pathOf, queryOf, refusalError } from './answer.js';

/**
 * Maximum number of attempts of a change that conflicts with others. In each failed attempt, another change succeeded.
 */
const MAX_ATTEMPTS = 50;
const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;
/** The members that a filter may have. An unknown one is an error, because ignoring it would match all users. */
const FILTER_MEMBERS: readonly string[] = [
  'search',
  'username',
  'email',
  'firstName',
  'lastName',
  'exact',
  'enabled',
  'emailVerified',
  'attributes',
];
/** The error code of the API if its own retries have failed because of concurrent changes. */
const BUSY_CODE = 'user_busy';

interface UserRepresentation extends Omit<ManagedUser, 'attributes' | 'requiredActions'> {
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly requiredActions?: readonly string[];
}

type IdleTimes = Pick<IdleUser, 'idleSince' | 'lastSignIn'>;

export function userAdministration(request: Request): UserAdministration {
  const list = async (query: Parameters<typeof queryOf>[0]) =>
    (await expectJson<readonly UserRepresentation[]>(request('GET', `/users${queryOf(query)}`))).map(toManagedUser);
  const byEmail = async (email: string) => {
    const users = await list({ email, exact: true, max: 2 });
    return users.length === 1 ? users[0] : undefined;
  };
  return {
    byEmail,
    async byUsernameOrEmail(name) {
      const [user] = await list({ username: name, exact: true, max: 1 });
      return user ?? byEmail(name);
    },
    async read(id) {
      const answer = await expectOptional(request('GET', pathOf('users', id)));
      return (
        answer && { user: toManagedUser(answer.body as unknown as UserRepresentation), version: String(answer.version) }
      );
    },
    async find(filter = {}, { after, max = DEFAULT_PAGE_SIZE } = {}) {
      // Request one more user, to find out if there is another page.
      const pageSize = checkedMax(max);
      const foundUsers = await list({ ...filterQueryOf(filter), after, max: pageSize + 1 });
      const users = foundUsers.slice(0, pageSize);
      const next = foundUsers.length > pageSize ? users.at(-1)?.username : undefined;
      return next === undefined ? { users } : { users, next };
    },
    async idle(before, { after, max = DEFAULT_PAGE_SIZE } = {}) {
      if (!Number.isFinite(before)) throw new HostError('invalid_argument', 'users.idle: before is a time');
      const pageSize = checkedMax(max);
      // No user has a time before the epoch, so negative times are replaced by 0.
      const query = queryOf({ before: Math.max(0, Math.trunc(before)), after, max: pageSize + 1 });
      const foundUsers = await expectJson<readonly (UserRepresentation & IdleTimes)[]>(
        request('GET', `/users/idle${query}`),
      );
      const users = foundUsers.slice(0, pageSize).map((user) => ({ ...toManagedUser(user), ...idleTimesOf(user) }));
      const last = foundUsers.length > pageSize ? users.at(-1) : undefined;
      return last === undefined ? { users } : { users, next: `${last.idleSince}.${last.id}` };
    },
    count: (filter = {}) => expectJson<number>(request('GET', `/users/count${queryOf(filterQueryOf(filter))}`)),
    create: ({ enabled = true, ...user }: NewUser) =>
      expectCreated(request('POST', '/users', asJson({ ...user, enabled }))),
    update: (id, change, options) => update(request, id, change, options?.version),
    remove: async (id, { version } = {}) => {
      const response = request(
        'DELETE',
        pathOf('users', id),
        undefined,
        version === undefined ? undefined : { version },
      );
      return (await expectOptional(response)) !== undefined;
    },
  };
}

/**
 * Updates a user. The API replaces attributes and required actions as a whole, so the current ones are read first, and
 * the result is only written if they have not changed since. Thus two concurrent changes of a user both take effect.
 */
async function update(
  request: Request,
  id: string,
  change: UserChange,
  expectedVersion: string | undefined,
): Promise<void> {
  const path = pathOf('users', id);
  const { attributes, requiredActions, email, firstName, lastName, ...rest } = change;
  const removable = Object.entries({ email, firstName, lastName }).filter(([, value]) => value !== undefined);
  const otherMembers = { ...rest, ...Object.fromEntries(removable.map(([name, value]) => [name, value ?? ''])) };
  if (attributes === undefined && requiredActions === undefined) {
    await expectDone(
      request(
        'PUT',
        path,
        asJson(otherMembers),
        expectedVersion === undefined ? undefined : { version: expectedVersion },
      ),
    );
    return;
  }
  for (let tries = 1; ; tries += 1) {
    const response = await expectDone(request('GET', path));
    const version = expectedVersion ?? String(response.version);
    const currentUser = toManagedUser(response.body as unknown as UserRepresentation);
    const body = {
      ...otherMembers,
      ...(attributes && { attributes: mergeAttributes(currentUser.attributes, attributes) }),
      ...(requiredActions && { requiredActions: changeActions(currentUser.requiredActions, requiredActions) }),
    };
    const isLast = expectedVersion !== undefined || tries === MAX_ATTEMPTS;
    const answer = await request('PUT', path, asJson(body), { version }).catch((error: unknown) => {
      if (isLast || (error as { code?: unknown } | undefined)?.code !== BUSY_CODE) throw error;
    });
    if (answer !== undefined && answer.status < 400) return;
    if (answer !== undefined && (isLast || answer.status !== 412)) throw refusalError(answer);
  }
}

/**
 * Returns the page size.
 * @throws HostError `invalid_argument` if it is out of range
 */
function checkedMax(max: number): number {
  if (Number.isInteger(max) && max >= 1 && max <= MAX_PAGE_SIZE) return max;
  throw new HostError('invalid_argument', `users: max is from 1 to ${MAX_PAGE_SIZE}`);
}

function idleTimesOf({ idleSince, lastSignIn }: IdleTimes): IdleTimes {
  return lastSignIn === undefined ? { idleSince } : { idleSince, lastSignIn };
}

function mergeAttributes(currentAttributes: ManagedUser['attributes'], change: NonNullable<UserChange['attributes']>) {
  const all = Object.entries({ ...currentAttributes, ...change });
  return Object.fromEntries(all.filter(([, values]) => values !== null && values.length > 0));
}

function changeActions(
  currentValues: readonly string[],
  { add = [], remove = [] }: NonNullable<UserChange['requiredActions']>,
) {
  return [...new Set([...currentValues, ...add])].filter((action) => !remove.includes(action));
}

/**
 * Converts a filter to query parameters.
 * @throws HostError `invalid_argument` for an unknown member
 */
function filterQueryOf({ attributes, ...filter }: UserFilter): Parameters<typeof queryOf>[0] {
  const unknownMember = Object.keys(filter).find((name) => !FILTER_MEMBERS.includes(name));
  if (unknownMember !== undefined) {
    throw new HostError(
      'invalid_argument',
      `users: a filter has no "${unknownMember}"; it has ${FILTER_MEMBERS.join(', ')}`,
    );
  }
  const pairs = Object.entries(attributes ?? {}).map(([name, value]) => `${quote(name)}:${quote(value)}`);
  return pairs.length === 0 ? filter : { ...filter, q: pairs.join(' ') };
}

/** Quotes a text for the attribute query if it has other characters than letters, digits and `._@+-`. */
function quote(text: string): string {
  if (/\\(?:"|$)/.test(text)) {
    throw new HostError('invalid_argument', 'users.find: an attribute has no backslash before a quote or at its end');
  }
  return /^[\w.@+-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}

/** Returns the members of a user representation that plugins get. Members for admin consoles are left out. */
export function toManagedUser(representation: UserRepresentation): ManagedUser {
  const { id, username, email, emailVerified, firstName, lastName, enabled, createdTimestamp } = representation;
  const { attributes = {}, requiredActions = [], serviceAccountClientId } = representation;
  const optional = Object.entries({ email, firstName, lastName, createdTimestamp, serviceAccountClientId });
  return {
    id,
    username,
    emailVerified,
    enabled,
    attributes,
    requiredActions,
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
  };
}

function asJson(value: object): JsonObject {
  return value as JsonObject;
}
