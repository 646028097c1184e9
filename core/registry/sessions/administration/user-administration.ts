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
import { expectCreated, expectDone, expectJson, expectOptional, pathOf, queryOf, refusal } from './answer.js';

/** How often a change is retried after a conflict. In each attempt at least one other change succeeded. */
const MAX_ATTEMPTS = 50;
const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;
/** Members of a filter. An unknown member is an error, because it would match all users. */
const FILTERS: readonly string[] = [
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
/** The error if concurrent changes kept winning within the operation itself. */
const BUSY = 'user_busy';

interface UserRepresentation extends Omit<ManagedUser, 'attributes' | 'requiredActions'> {
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly requiredActions?: readonly string[];
}

type IdleTimes = Pick<IdleUser, 'idleSince' | 'lastSignIn'>;

export function userAdministration(request: Request): UserAdministration {
  const list = async (query: Parameters<typeof queryOf>[0]) =>
    (await expectJson<readonly UserRepresentation[]>(request('GET', `/users${queryOf(query)}`))).map(managedUser);
  const byEmail = async (email: string) => {
    const found = await list({ email, exact: true, max: 2 });
    return found.length === 1 ? found[0] : undefined;
  };
  return {
    byEmail,
    async byUsernameOrEmail(name) {
      const [named] = await list({ username: name, exact: true, max: 1 });
      return named ?? byEmail(name);
    },
    async read(id) {
      const answer = await expectOptional(request('GET', pathOf('users', id)));
      return (
        answer && { user: managedUser(answer.body as unknown as UserRepresentation), version: String(answer.version) }
      );
    },
    async find(filter = {}, { after, max = DEFAULT_PAGE } = {}) {
      // Request one more, to find out if there is another page.
      const most = checkedMax(max);
      const found = await list({ ...filterOf(filter), after, max: most + 1 });
      const users = found.slice(0, most);
      const next = found.length > most ? users.at(-1)?.username : undefined;
      return next === undefined ? { users } : { users, next };
    },
    async idle(before, { after, max = DEFAULT_PAGE } = {}) {
      if (!Number.isFinite(before)) throw new HostError('invalid_argument', 'users.idle: before is a time');
      const most = checkedMax(max);
      // No user has a time before the epoch.
      const query = queryOf({ before: Math.max(0, Math.trunc(before)), after, max: most + 1 });
      const found = await expectJson<readonly (UserRepresentation & IdleTimes)[]>(
        request('GET', `/users/idle${query}`),
      );
      const users = found.slice(0, most).map((shown) => ({ ...managedUser(shown), ...timesOf(shown) }));
      const last = found.length > most ? users.at(-1) : undefined;
      return last === undefined ? { users } : { users, next: `${last.idleSince}.${last.id}` };
    },
    count: (filter = {}) => expectJson<number>(request('GET', `/users/count${queryOf(filterOf(filter))}`)),
    create: ({ enabled = true, ...user }: NewUser) =>
      expectCreated(request('POST', '/users', json({ ...user, enabled }))),
    update: (id, change, options) => update(request, id, change, options?.version),
    remove: async (id, { version } = {}) => {
      const asked = request('DELETE', pathOf('users', id), undefined, version === undefined ? undefined : { version });
      return (await expectOptional(asked)) !== undefined;
    },
  };
}

/**
 * The API replaces attributes and required actions as a whole. So the others are read first, and written only if they
 * have not changed meanwhile. Two concurrent changes of a user thus both take effect.
 */
async function update(request: Request, id: string, change: UserChange, given: string | undefined): Promise<void> {
  const path = pathOf('users', id);
  const { attributes, requiredActions, email, firstName, lastName, ...rest } = change;
  const removable = Object.entries({ email, firstName, lastName }).filter(([, value]) => value !== undefined);
  const plain = { ...rest, ...Object.fromEntries(removable.map(([name, value]) => [name, value ?? ''])) };
  if (attributes === undefined && requiredActions === undefined) {
    await expectDone(request('PUT', path, json(plain), given === undefined ? undefined : { version: given }));
    return;
  }
  for (let tries = 1; ; tries += 1) {
    const read = await expectDone(request('GET', path));
    const version = given ?? String(read.version);
    const before = managedUser(read.body as unknown as UserRepresentation);
    const body = {
      ...plain,
      ...(attributes && { attributes: merged(before.attributes, attributes) }),
      ...(requiredActions && { requiredActions: withActions(before.requiredActions, requiredActions) }),
    };
    const isLast = given !== undefined || tries === MAX_ATTEMPTS;
    const answer = await request('PUT', path, json(body), { version }).catch((error: unknown) => {
      if (isLast || (error as { code?: unknown } | undefined)?.code !== BUSY) throw error;
    });
    if (answer !== undefined && answer.status < 400) return;
    if (answer !== undefined && (isLast || answer.status !== 412)) throw refusal(answer);
  }
}

/** @throws HostError `invalid_argument` */
function checkedMax(max: number): number {
  if (Number.isInteger(max) && max >= 1 && max <= MAX_PAGE) return max;
  throw new HostError('invalid_argument', `users: max is from 1 to ${MAX_PAGE}`);
}

function timesOf({ idleSince, lastSignIn }: IdleTimes): IdleTimes {
  return lastSignIn === undefined ? { idleSince } : { idleSince, lastSignIn };
}

function merged(before: ManagedUser['attributes'], change: NonNullable<UserChange['attributes']>) {
  const all = Object.entries({ ...before, ...change });
  return Object.fromEntries(all.filter(([, values]) => values !== null && values.length > 0));
}

function withActions(before: readonly string[], { add = [], remove = [] }: NonNullable<UserChange['requiredActions']>) {
  return [...new Set([...before, ...add])].filter((one) => !remove.includes(one));
}

/** @throws HostError `invalid_argument` */
function filterOf({ attributes, ...filter }: UserFilter): Parameters<typeof queryOf>[0] {
  const unknown = Object.keys(filter).find((name) => !FILTERS.includes(name));
  if (unknown !== undefined) {
    throw new HostError('invalid_argument', `users: a filter has no "${unknown}"; it has ${FILTERS.join(', ')}`);
  }
  const pairs = Object.entries(attributes ?? {}).map(([name, value]) => `${quoted(name)}:${quoted(value)}`);
  return pairs.length === 0 ? filter : { ...filter, q: pairs.join(' ') };
}

/** Quotes a text with spaces or colons for the query of attributes. */
function quoted(text: string): string {
  if (/\\(?:"|$)/.test(text)) {
    throw new HostError('invalid_argument', 'users.find: an attribute has no backslash before a quote or at its end');
  }
  return /^[\w.@+-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`;
}

/** Returns the members of a representation that a plugin gets: members for admin consoles are left out. */
export function managedUser(shown: UserRepresentation): ManagedUser {
  const { id, username, email, emailVerified, firstName, lastName, enabled, createdTimestamp } = shown;
  const { attributes = {}, requiredActions = [], serviceAccountClientId } = shown;
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

function json(value: object): JsonObject {
  return value as JsonObject;
}
