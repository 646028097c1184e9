import { defined } from '../../model/defined.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { Realms } from '../../realms/realms.js';
import type { Events } from '../../registry/events/events.js';
import type { EventStore } from '../../store/store.js';
import { notFoundError } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { type AdminOperation, ok } from '../operation.js';
import { type ActionTokenOperationParts, TOKEN_SCHEMA, TOKEN_STATES } from '../users/action-token-operations.js';
import { requireUser } from '../users/change-user.js';
import { ACTION_TOKENS_TAG } from './action-tokens-tag.js';
import {
  compareEntries,
  entriesOfAdminEvents,
  entriesOfUserEvents,
  TOKEN_EVENTS,
  type TokenHistoryAdmin,
  type TokenHistoryEntry,
} from './token-events.js';

export interface TokenHistoryParts extends ActionTokenOperationParts {
  readonly events: Events;
  readonly realms: Realms;
  readonly store: { readonly events: EventStore };
}

/**
 * Maximum numbers of events that are searched, and that are returned. They apply to user events and to admin events
 * separately.
 */
const MAX_SEARCHED_EVENTS = 5_000;
const MAX_RETURNED_EVENTS = 200;
/** Maximum time, in milliseconds, by which the event of a mail precedes the creation of its link. */
const EVENT_LEAD_MS = 60_000;

const TEXT = { type: 'string' } as const;
const HISTORY = {
  type: 'object',
  properties: {
    ...TOKEN_SCHEMA.properties,
    state: { enum: TOKEN_STATES, description: 'Absent: the token is not tracked, or no longer tracked.' },
    eventsEnabled: { type: 'boolean', description: 'False: the realm does not save user events.' },
    adminEventsEnabled: { type: 'boolean', description: 'False: the realm does not save admin events.' },
    isComplete: {
      type: 'boolean',
      description: `False: more than ${MAX_SEARCHED_EVENTS} later events, or more than ${MAX_RETURNED_EVENTS} events of the token.`,
    },
    history: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          time: { type: 'integer', description: 'Milliseconds since the epoch.' },
          what: { enum: TOKEN_EVENTS },
          event: { ...TEXT, description: 'ID of the event.' },
          type: { ...TEXT, description: 'Type of the user event; ADMIN for an admin event.' },
          error: TEXT,
          reason: TEXT,
          clientId: TEXT,
          ipAddress: TEXT,
          by: {
            type: 'object',
            properties: { realmId: TEXT, userId: TEXT, realm: TEXT, username: TEXT },
            description: 'The admin; with a username if the caller can see the users of their realm.',
          },
        },
      },
    },
  },
} as const;

/** Keyhost's own API: the history of an action token, from the events that the realm has saved. */
export function tokenHistoryOperations(parts: TokenHistoryParts): AdminOperation[] {
  const { users, actionTokens, events, store } = parts;
  return [
    {
      method: 'GET',
      path: '/users/{userId}/action-tokens/{tokenId}/history',
      tag: ACTION_TOKENS_TAG,
      summary: 'The history of an action token from the saved events, oldest first; also requires view-events',
      roles: ['view-users'],
      answers: { status: 200, body: HISTORY },
      async handle(call) {
        const { realm, params, admin } = call;
        admin.require(realm.name, 'view-events');
        const user = await requireUser(users, call);
        const id = params.tokenId ?? '';
        const status = await actionTokens.stateOf(call, user, id);
        if (status === undefined) throw notFoundError('Action token not found');
        await events.flushStored();
        const range = { from: status.issuedAt - EVENT_LEAD_MS, among: MAX_SEARCHED_EVENTS, max: MAX_RETURNED_EVENTS };
        const userEvents = await store.events.naming(realm.name, { ...range, text: id, of: { userId: user.id } });
        const path = `users/${user.id}/action-tokens`;
        const adminEvents = await store.events.naming(realm.name, { ...range, text: path, of: { kind: 'admin' } });
        const { token, state, issuedAt } = status;
        const history = [
          ...entriesOfUserEvents(userEvents.events, id),
          ...entriesOfAdminEvents(adminEvents.events, { path, id, issuedAt }),
        ];
        return ok({
          ...defined({
            id,
            type: token?.type,
            clientId: token?.clientId,
            issuedAt,
            expiresAt: token?.expiresAt,
            state,
          }),
          eventsEnabled: realm.eventsEnabled,
          adminEventsEnabled: realm.settings.adminEventsEnabled,
          isComplete: !userEvents.isCut && !adminEvents.isCut,
          history: await withAdminNames(history.sort(compareEntries), call, parts),
        });
      },
    },
  ];
}

/** Adds the names of admins of the token's realm or of master, if the caller may see the users of their realm. */
async function withAdminNames(
  history: readonly TokenHistoryEntry[],
  { realm, admin }: AdminCall,
  { realms, users }: TokenHistoryParts,
): Promise<readonly TokenHistoryEntry[]> {
  const adminsById = new Map<string, TokenHistoryAdmin>();
  for (const { by } of history) {
    if (by === undefined || adminsById.has(by.userId)) continue;
    const adminRealm = realm.id === by.realmId ? realm : await realms.get(MASTER_REALM);
    if (adminRealm?.id !== by.realmId || !admin.can(adminRealm.name, 'view-users')) continue;
    const username = (await users.byId(adminRealm, by.userId))?.username;
    adminsById.set(by.userId, { ...by, realm: adminRealm.name, ...defined({ username }) });
  }
  return history.map((entry) =>
    entry.by === undefined ? entry : { ...entry, by: adminsById.get(entry.by.userId) ?? entry.by },
  );
}
