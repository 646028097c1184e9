import type { Clock } from '../../model/clock.js';
import type { SessionFilter, Store, UserSessionRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { forbidden } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, type QueryParameter } from '../query.js';
import { shownSessions } from '../sessions/session-representation.js';
import { CONSOLE_TAG } from './console-tag.js';

export interface SessionListOperationParts {
  readonly users: Users;
  readonly store: Store;
  readonly clock: Clock;
}

/** Maximum number of users whose sessions a search reads. */
const MOST_USERS = 200;
const LISTING = {
  search: { type: 'string', description: 'A part of the username.' },
  type: { type: 'string', description: 'ALL, REGULAR or OFFLINE.' },
  ...PAGING,
} as const satisfies Record<string, QueryParameter>;
const SESSIONS = { status: 200, body: { type: 'array', items: { type: 'object' } } } as const;

/** The session lists of Keycloak's admin console. They contain usernames, so callers must be allowed to see users. */
export function sessionListOperations(parts: SessionListOperationParts): AdminOperation[] {
  const reading = { method: 'GET', tag: CONSOLE_TAG, answers: SESSIONS } as const;
  return [
    {
      ...reading,
      path: '/ui-ext/sessions',
      summary: 'The sessions of the realm; also requires view-users',
      roles: ['view-realm'],
      query: LISTING,
      handle: (call) => listed(parts, call, {}),
    },
    {
      ...reading,
      path: '/ui-ext/sessions/client',
      summary: 'The sessions of a client; also requires view-users',
      roles: ['view-clients'],
      query: { clientId: { type: 'string', description: 'The internal id of the client.' }, ...LISTING },
      handle(call) {
        const { id } = requireClient(call.realm.representation, call.query.string('clientId'));
        return listed(parts, call, { clientUuid: id });
      },
    },
  ];
}

async function listed(parts: SessionListOperationParts, call: AdminCall, filter: SessionFilter): Promise<AdminAnswer> {
  const { realm, admin, query } = call;
  if (!admin.can(realm.name, 'view-users')) throw forbidden();
  const type = query.string('type') ?? 'ALL';
  const wanted: SessionFilter = {
    ...filter,
    aliveAt: parts.clock.now(),
    ...(type === 'ALL' ? {} : { offline: type === 'OFFLINE' }),
  };
  const sessions = await found(parts, call, wanted);
  const shown = await shownSessions(parts, realm, sessions);
  return ok(
    shown.map((session, index) => ({ ...session, type: sessions[index]?.offline === true ? 'OFFLINE' : 'REGULAR' })),
  );
}

async function found(
  { store, users }: SessionListOperationParts,
  { realm, query }: AdminCall,
  filter: SessionFilter,
): Promise<readonly UserSessionRecord[]> {
  const page = query.page();
  const username = query.string('search');
  if (username === undefined) return store.sessions.list(realm.name, { ...filter, ...page });
  const some: UserSessionRecord[] = [];
  for (const { id } of await users.find(realm, { username, serviceAccounts: true, max: MOST_USERS })) {
    const max = page.first + page.max - some.length;
    if (max <= 0) break;
    some.push(...(await store.sessions.list(realm.name, { ...filter, userId: id, max })));
  }
  return some.slice(page.first);
}
