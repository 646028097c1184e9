import type { Clock } from '../../model/clock.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { SessionFilter, Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { forbiddenError, notFoundError } from '../admin.js';
import { requireClient } from '../clients/find-client.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING } from '../query.js';
import { changeUser, requireRightsOfUser, requireUser } from '../users/change-user.js';
import type { SessionEnder } from './session-ender.js';
import { sessionRepresentations } from './session-representation.js';

export interface SessionOperationParts {
  readonly users: Users;
  readonly edits: RealmEdits;
  readonly store: Store;
  readonly sessionEnder: SessionEnder;
  readonly clock: Clock;
}

const SESSIONS = { status: 200, body: { type: 'array', items: { type: 'object' } } } as const;
const COUNT = { status: 200, body: { type: 'object', properties: { count: { type: 'integer' } } } } as const;
/**
 * Keycloak's GlobalRequestResult, which lists notified applications. Keyhost notifies them only by back-channel logout,
 * so the result is empty.
 */
const NO_APPLICATIONS = Object.freeze({});

/** Operations on sessions of users, of clients and of the realm. */
export function sessionOperations(parts: SessionOperationParts): AdminOperation[] {
  return [...userSessionOperations(parts), ...clientSessionOperations(parts), ...realmSessionOperations(parts)];
}

function userSessionOperations(parts: SessionOperationParts): AdminOperation[] {
  const { users, sessionEnder, clock } = parts;
  const readOperation = {
    method: 'GET',
    tag: 'Users',
    roles: ['view-users'],
    query: PAGING,
    answers: SESSIONS,
  } as const;
  return [
    {
      ...readOperation,
      path: '/users/{userId}/sessions',
      summary: 'The sessions of a user',
      handle: async (call) =>
        listSessions(parts, call, { userId: (await requireUser(users, call)).id, offline: false }),
    },
    {
      ...readOperation,
      path: '/users/{userId}/offline-sessions/{clientUuid}',
      summary: 'The offline sessions of a user with a client',
      async handle(call) {
        const clientUuid = requireClient(call.realm.representation, call.params.clientUuid, 'Client not found').id;
        return listSessions(parts, call, { userId: (await requireUser(users, call)).id, clientUuid, offline: true });
      },
    },
    {
      method: 'POST',
      path: '/users/{userId}/logout',
      tag: 'Users',
      summary: 'End every session, token and link of a user',
      roles: ['manage-users'],
      answers: { status: 204 },
      event: { resourceType: 'USER', operation: 'ACTION' },
      async handle(call) {
        const { id } = await changeUser(users, call, (draft) => {
          draft.notBefore = Math.floor(clock.now() / 1000);
          draft.linksNotBefore = clock.now();
        });
        await sessionEnder.endAll(call.realm, { userId: id });
        return undefined;
      },
    },
  ];
}

function clientSessionOperations(parts: SessionOperationParts): AdminOperation[] {
  const { store, clock } = parts;
  return ([false, true] as const).flatMap((isOffline): AdminOperation[] => {
    const description = isOffline ? 'offline sessions' : 'sessions';
    const readOperation = { method: 'GET', tag: 'Clients', roles: ['view-clients'] } as const;
    return [
      {
        ...readOperation,
        path: `/clients/{clientUuid}/${isOffline ? 'offline' : 'user'}-sessions`,
        summary: `The ${description} of a client; also requires view-users`,
        query: PAGING,
        answers: SESSIONS,
        handle(call) {
          const { realm, admin, params } = call;
          const clientUuid = requireClient(realm.representation, params.clientUuid).id;
          // Stricter than Keycloak: a caller who may only view clients does not see usernames.
          if (!admin.can(realm.name, 'view-users')) throw forbiddenError();
          return listSessions(parts, call, { clientUuid, offline: isOffline });
        },
      },
      {
        ...readOperation,
        path: `/clients/{clientUuid}/${isOffline ? 'offline-' : ''}session-count`,
        summary: `The number of ${description} of a client`,
        answers: COUNT,
        async handle({ realm, params }) {
          const clientUuid = requireClient(realm.representation, params.clientUuid).id;
          const filter = { clientUuid, offline: isOffline, aliveAt: clock.now() };
          const [count] = await store.sessions.countByClient(realm.name, filter);
          return ok({ count: count?.sessions ?? 0 });
        },
      },
    ];
  });
}

function realmSessionOperations({ users, edits, store, sessionEnder, clock }: SessionOperationParts): AdminOperation[] {
  const writeOperation = { tag: 'Realms Admin', roles: ['manage-users'] } as const;
  return [
    {
      method: 'GET',
      path: '/client-session-stats',
      tag: 'Realms Admin',
      summary: 'The number of sessions of each client that has any',
      roles: ['view-realm'],
      answers: SESSIONS,
      async handle({ realm }) {
        const counts = await store.sessions.countByClient(realm.name, { aliveAt: clock.now() });
        const countSessions = (id: string, offline: boolean) =>
          counts.find((count) => count.clientUuid === id && count.offline === offline)?.sessions ?? 0;
        const ids = [...new Set(counts.map(({ clientUuid }) => clientUuid))].filter((id) => realm.clientsById.has(id));
        return ok(
          ids.map((id) => ({
            id,
            clientId: realm.clientsById.get(id)?.clientId,
            active: String(countSessions(id, false)),
            offline: String(countSessions(id, true)),
          })),
        );
      },
    },
    {
      ...writeOperation,
      method: 'DELETE',
      path: '/sessions/{sessionId}',
      summary:
        'End a session, an offline one with its login; ' +
        'not that of an administrator with rights that the caller does not have',
      query: { isOffline: { type: 'boolean', description: 'It is an offline session.' } },
      answers: { status: 204 },
      event: { resourceType: 'USER_SESSION' },
      async handle({ realm, admin, params, query, setEventDetails }) {
        const key = { realm: realm.name, id: params.sessionId ?? '', offline: query.boolean('isOffline') ?? false };
        const session = await store.sessions.get(key);
        if (session === undefined) throw notFoundError('Sesssion not found');
        // Requires the same rights as ending all sessions of the user.
        const user = await users.byId(realm, session.userId);
        if (user !== undefined) requireRightsOfUser(admin, realm, user);
        setEventDetails({ eventRepresentation: { offline: key.offline } });
        await sessionEnder.end(realm, session);
        return undefined;
      },
    },
    {
      ...writeOperation,
      method: 'POST',
      path: '/logout-all',
      summary: 'End every session, token and link of the users',
      answers: { status: 200, body: { type: 'object' } },
      event: { resourceType: 'REALM', operation: 'ACTION' },
      async handle({ realm, admin, setEventDetails }) {
        admin.requireMayManageAdmins();
        setEventDetails({ eventRepresentation: {} });
        await edits.edit(realm.name, (draft) => {
          draft.notBefore = Math.floor(clock.now() / 1000);
        });
        await sessionEnder.endAll(realm);
        return ok(NO_APPLICATIONS);
      },
    },
    {
      method: 'POST',
      path: '/push-revocation',
      tag: 'Realms Admin',
      summary: "Push the realm's not-before time to applications; Keyhost sends nothing",
      roles: ['manage-realm'],
      answers: { status: 200, body: { type: 'object' } },
      event: { resourceType: 'REALM', operation: 'ACTION' },
      async handle({ setEventDetails }) {
        setEventDetails({ eventRepresentation: {} });
        return ok(NO_APPLICATIONS);
      },
    },
  ];
}

async function listSessions(
  parts: SessionOperationParts,
  { realm, query }: AdminCall,
  filter: SessionFilter,
): Promise<AdminAnswer> {
  const activeFilter = { ...filter, aliveAt: parts.clock.now() };
  const sessions = await parts.store.sessions.list(realm.name, { ...activeFilter, ...query.page() });
  return ok(await sessionRepresentations(parts, realm, sessions));
}
