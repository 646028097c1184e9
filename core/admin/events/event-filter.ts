import type { AdminEvent, Event, EventQuery } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { Realms } from '../../realms/realms.js';
import type { EventRecord, EventStore } from '../../store/store.js';
import { badRequest } from '../admin.js';
import type { AdminQuery, QueryParameter } from '../query.js';
import { withoutUndefined } from './event-query.js';

/** Queries saved events. */
export type QuerySavedEvents = (query: EventQuery) => Promise<readonly unknown[]>;

/** A filter for events of one kind, in the form that the store expects. */
export type EventFilter = Pick<
  Parameters<EventStore['query']>[1],
  | 'kind'
  | 'types'
  | 'clientId'
  | 'userId'
  | 'ipAddress'
  | 'sessionId'
  | 'tokenId'
  | 'resourceTypes'
  | 'resourcePath'
  | 'authRealmId'
>;

/** Query parameters for events of users and clients, with Keycloak's names. */
export const USER_EVENT_FILTERS = {
  type: { type: 'string', repeatable: true, description: 'Event types, such as LOGIN_ERROR.' },
  client: { type: 'string', description: 'clientId' },
  user: { type: 'string', description: 'Id of a user.' },
  ipAddress: { type: 'string' },
  session: {
    type: 'string',
    description: 'ID of a session. Faster together with user. Keyhost only.',
  },
  token: { type: 'string', description: 'token_id of the details. Faster together with user. Keyhost only.' },
} as const satisfies Record<string, QueryParameter>;

/** Query parameters for admin events, with Keycloak's names. */
export const ADMIN_EVENT_FILTERS = {
  operationTypes: { type: 'string', repeatable: true, description: 'CREATE, UPDATE, DELETE, ACTION.' },
  resourceTypes: { type: 'string', repeatable: true, description: 'Such as USER.' },
  resourcePath: { type: 'string', description: 'Path below the realm; * matches any text.' },
  authRealm: { type: 'string', description: 'Name or ID of the realm of the admin.' },
  authClient: { type: 'string', description: 'Internal ID of a client.' },
  authUser: { type: 'string', description: 'Id of a user.' },
  authIpAddress: { type: 'string' },
} as const satisfies Record<string, QueryParameter>;

const OPERATION_TYPES = ['CREATE', 'UPDATE', 'DELETE', 'ACTION'];

/** Creates the filter for user events. @throws AdminError 400 for an unknown event type */
export async function userEventFilter(query: AdminQuery, queryEvents: QuerySavedEvents): Promise<EventFilter> {
  const types = query.all('type').map((type) => type.toUpperCase());
  for (const type of types) await requireEventType(queryEvents, type);
  return {
    kind: 'user',
    types,
    ...withoutUndefined({
      clientId: query.string('client'),
      userId: query.string('user'),
      ipAddress: query.string('ipAddress'),
      sessionId: query.string('session'),
      tokenId: query.string('token'),
    }),
  };
}

/** Creates the filter for admin events. @throws AdminError 400 for an unknown operation type */
export async function adminEventFilter(query: AdminQuery, realms: Realms): Promise<EventFilter> {
  const authRealm = query.string('authRealm');
  const types = query.all('operationTypes').map((type) => type.toUpperCase());
  const unknown = types.find((type) => !OPERATION_TYPES.includes(type));
  if (unknown !== undefined) throw badRequest(`operationTypes: must be of ${OPERATION_TYPES.join(', ')}`);
  return {
    kind: 'admin',
    types,
    resourceTypes: query.all('resourceTypes').map((type) => type.toUpperCase()),
    ...withoutUndefined({
      clientId: query.string('authClient'),
      userId: query.string('authUser'),
      ipAddress: query.string('authIpAddress'),
      resourcePath: query.string('resourcePath'),
      authRealmId: authRealm && ((await realms.get(authRealm))?.id ?? authRealm),
    }),
  };
}

/** True if a query of the store with this filter would return the event. */
export function matchesFilter(event: EventRecord, filter: EventFilter): boolean {
  const isOneOf = (allowed: readonly string[] | undefined, value: string) =>
    allowed === undefined || allowed.length === 0 || allowed.includes(value);
  const matches = (filterValue: string | undefined, value: string | undefined) =>
    filterValue === undefined || filterValue === value;
  if (event.kind !== filter.kind || !isOneOf(filter.types, event.type)) return false;
  if (!matches(filter.clientId, event.clientId) || !matches(filter.userId, event.userId)) return false;
  if (!matches(filter.ipAddress, event.ipAddress)) return false;
  if (filter.kind === 'user') {
    if (filter.sessionId === undefined && filter.tokenId === undefined) return true;
    const { sessionId, details } = JSON.parse(event.body) as Event;
    return matches(filter.sessionId, sessionId) && matches(filter.tokenId, details.token_id);
  }
  const { resourceType, resourcePath, authDetails } = JSON.parse(event.body) as AdminEvent;
  return (
    isOneOf(filter.resourceTypes, resourceType) &&
    matches(filter.authRealmId, authDetails.realmId) &&
    (filter.resourcePath === undefined || isLike(resourcePath, filter.resourcePath))
  );
}

/**
 * True if the text matches a pattern in which `*` matches any text. It uses no regular expression, since an admin
 * could write a slow one.
 */
function isLike(text: string, pattern: string): boolean {
  const [start = '', ...pieces] = pattern.toLowerCase().split('*');
  const lowerText = text.toLowerCase();
  const end = pieces.pop();
  if (end === undefined) return lowerText === start;
  if (!lowerText.startsWith(start) || lowerText.length < start.length + end.length || !lowerText.endsWith(end))
    return false;
  let position = start.length;
  for (const piece of pieces) {
    const index = lowerText.indexOf(piece, position);
    if (index === -1) return false;
    position = index + piece.length;
  }
  return position <= lowerText.length - end.length;
}

/** Checks an event type. A plugin's type is known only if an event of that type is saved. @throws AdminError 400 */
async function requireEventType(queryEvents: QuerySavedEvents, type: string): Promise<void> {
  if (EVENT_TYPES.includes(type)) return;
  if ((await queryEvents({ kind: 'user', types: [type], first: 0, max: 1 })).length > 0) return;
  const suggestion = didYouMean(type, EVENT_TYPES);
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  throw badRequest(
    `type: event type "${type.slice(0, 100)}" not found${hint}: it must be one of ${EVENT_TYPES.join(', ')}`,
  );
}
