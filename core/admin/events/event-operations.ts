import type { Realms } from '../../realms/realms.js';
import type { StoredEvents } from '../../registry/events/stored-events.js';
import { notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { mapYielding } from '../yielding-loops.js';
import { ADMIN_EVENT_FILTERS, adminEventFilter, USER_EVENT_FILTERS, userEventFilter } from './event-filter.js';
import { EVENT_QUERY, eventPage } from './event-query.js';
import { eventResponse } from './event-response.js';

export interface EventOperationParts {
  readonly realms: Realms;
  readonly storedEvents: StoredEvents;
}

const TAG = 'Realms Admin';
const LIST = { type: 'array', items: { type: 'object' } } as const;

/** Operations on the saved events of a realm: `/events` and `/admin-events`. */
export function eventOperations({ realms, storedEvents }: EventOperationParts): AdminOperation[] {
  const clearOperation = (path: string, kind: 'user' | 'admin', summary: string): AdminOperation => ({
    method: 'DELETE',
    path,
    tag: TAG,
    summary,
    roles: ['manage-events'],
    answers: { status: 204 },
    async handle({ realm }) {
      await storedEvents.clear(realm, kind);
      return undefined;
    },
  });
  const singleEventOperation = (path: string, kind: 'user' | 'admin', summary: string): AdminOperation => ({
    method: 'GET',
    path,
    tag: TAG,
    summary,
    roles: ['view-events'],
    answers: { status: 200, body: { type: 'object' } },
    async handle({ realm, params: { eventId = '' } }) {
      const [event] = await storedEvents.query(realm, { kind, id: eventId, first: 0, max: 1 });
      if (event?.id !== eventId) throw notFoundError('Event not found');
      return ok(eventResponse(event));
    },
  });
  return [
    singleEventOperation('/events/{eventId}', 'user', 'One user event'),
    singleEventOperation('/admin-events/{eventId}', 'admin', 'One admin event'),
    {
      method: 'GET',
      path: '/events',
      tag: TAG,
      summary: 'User events, newest first',
      roles: ['view-events'],
      query: { ...USER_EVENT_FILTERS, ...EVENT_QUERY },
      answers: { status: 200, body: LIST },
      async handle({ realm, query }) {
        const filter = await userEventFilter(query, (eventQuery) => storedEvents.query(realm, eventQuery));
        const events = await storedEvents.query(realm, { ...filter, ...eventPage(query) });
        return ok(await mapYielding(realm.name, events, eventResponse));
      },
    },
    {
      method: 'GET',
      path: '/admin-events',
      tag: TAG,
      summary: 'Admin events, newest first',
      roles: ['view-events'],
      query: { ...ADMIN_EVENT_FILTERS, ...EVENT_QUERY },
      answers: { status: 200, body: LIST },
      async handle({ realm, query }) {
        const filter = await adminEventFilter(query, realms);
        const events = await storedEvents.query(realm, { ...filter, ...eventPage(query) });
        return ok(await mapYielding(realm.name, events, eventResponse));
      },
    },
    clearOperation('/events', 'user', 'Delete the user events'),
    clearOperation('/admin-events', 'admin', 'Delete the admin events'),
  ];
}
