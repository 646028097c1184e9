import type { Clock } from '../../model/clock.js';
import type { SessionFilter, Store, UserSessionRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { forbiddenError } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, type QueryParameter } from '../query.js';
import { sessionRepresentations } from '../sessions/session-representation.js';
import { CONSOLE_TAG } from './console-tag.js';

export interface SessionListOperationParts {
  readonly users: Users;
  readonly store: Store;
  readonly clock: Clock;
}

/** Maximum number of users whose sessions a search reads. */
const MAX_USERS = 200;
const LISTING = {
  search: { type: 'string', description: 'A part of the username.' },
  type: { type: 'string', description: 'ALL, REGULAR or OFFLINE.' },
  ...PAGING,
} as const satisfies Record<string, QueryParameter>;
const SESSIONS = { status: 200, body: { type: 'array', items: { type: 'object' } } } as const;

/**
 * Operations for the session lists of Keycloak's admin console. The lists contain usernames, so callers must be allowed
 * to view users.
 */
export function sessionListOperations(parts: SessionListOperationParts): AdminOperation[] {
  const readOperation = { method: 'GET', tag: CONSOLE_TAG, answers: SESSIONS } as const;
  return [
    {
      ...readOperation,
      path: '/ui-ext/sessions',
      summary: 'The sessions of the realm; also requires view-users',
      roles: ['view-realm'],
      query: LISTING,
      handle: (call) => listSessions(parts, call, {}),
    },
    {
      ...readOperation,
      path: '/ui-ext/sessions/client',
      summary: 'The sessions of a client; also requires view-users',
      roles: ['view-clients'],
      query: { clientId: { type: 'string', description: 'The internal id of the client.' }, ...LISTING },
      handle(call) {
        const { id } = requireClient(call.realm.representation, call.query.string('clientId'));
        return listSessions(parts, call, { clientUuid: id });
      },
    },
  ];
}

async function listSessions(
  parts: SessionListOperationParts,
  call: AdminCall,
  filter: SessionFilter,
): Promise<AdminAnswer> {
  const { realm, admin, query } = call;
  if (!admin.can(realm.name, 'view-users')) throw forbiddenError();
  const type = query.string('type') ?? 'ALL';
  const fullFilter: SessionFilter = {
    ...filter,
    aliveAt: parts.clock.now(),
    ...(type === 'ALL' ? {} : { offline: type === 'OFFLINE' }),
  };
  const sessions = await findSessions(parts, call, fullFilter);
  const representations = await sessionRepresentations(parts, realm, sessions);
  return ok(
    representations.map((session, index) => ({
      ...session,
      type: sessions[index]?.offline === true ? 'OFFLINE' : 'REGULAR',
    })),
  );
}

async function findSessions(
  { store, users }: SessionListOperationParts,
  { realm, query }: AdminCall,
  filter: SessionFilter,
): Promise<readonly UserSessionRecord[]> {
  const page = query.page();
  const username = query.string('search');
  if (username === undefined) return store.sessions.list(realm.name, { ...filter, ...page });
  const matches: UserSessionRecord[] = [];
  for (const { id } of await users.find(realm, { username, serviceAccounts: true, max: MAX_USERS })) {
    const max = page.first + page.max - matches.length;
    if (max <= 0) break;
    matches.push(...(await store.sessions.list(realm.name, { ...filter, userId: id, max })));
  }
  return matches.slice(page.first);
}
