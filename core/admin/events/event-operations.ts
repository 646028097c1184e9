import type { Realms } from '../../realms/realms.js';
import type { Events } from '../../registry/events/events.js';
import type { EventStore } from '../../store/store.js';
import { notFound } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { ADMIN_EVENT_FILTERS, adminEventFilter, USER_EVENT_FILTERS, userEventFilter } from './event-filter.js';
import { EVENT_QUERY, eventPage } from './event-query.js';
import { shownEvent } from './shown-event.js';

export interface EventOperationParts {
  readonly realms: Realms;
  readonly events: Events;
  readonly store: { readonly events: EventStore };
}

const TAG = 'Realms Admin';
const LIST = { type: 'array', items: { type: 'object' } } as const;

/** `/events` and `/admin-events` of a realm: what the store kept of them, and each one by its id. */
export function eventOperations({ realms, events, store }: EventOperationParts): AdminOperation[] {
  const clear = (path: string, kind: 'user' | 'admin', summary: string): AdminOperation => ({
    method: 'DELETE',
    path,
    tag: TAG,
    summary,
    roles: ['manage-events'],
    answers: { status: 204 },
    async handle({ realm }) {
      await events.written();
      await store.events.clear(realm.name, kind);
      return undefined;
    },
  });
  const one = (path: string, kind: 'user' | 'admin', summary: string): AdminOperation => ({
    method: 'GET',
    path,
    tag: TAG,
    summary,
    roles: ['view-events'],
    answers: { status: 200, body: { type: 'object' } },
    async handle({ realm, params: { eventId = '' } }) {
      await events.written();
      const found = (await store.events.byIds(realm.name, [eventId])).find((event) => event.kind === kind);
      if (found === undefined) throw notFound('Event not found');
      return ok(shownEvent(found));
    },
  });
  return [
    one('/events/{eventId}', 'user', 'One user event'),
    one('/admin-events/{eventId}', 'admin', 'One admin event'),
    {
      method: 'GET',
      path: '/events',
      tag: TAG,
      summary: 'User events, newest first',
      roles: ['view-events'],
      query: { ...USER_EVENT_FILTERS, ...EVENT_QUERY },
      answers: { status: 200, body: LIST },
      async handle({ realm, query }) {
        await events.written();
        const filter = await userEventFilter(query, store.events, realm.name);
        return ok((await store.events.query(realm.name, { ...filter, ...eventPage(query) })).map(shownEvent));
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
        await events.written();
        return ok((await store.events.query(realm.name, { ...filter, ...eventPage(query) })).map(shownEvent));
      },
    },
    clear('/events', 'user', 'Delete the user events'),
    clear('/admin-events', 'admin', 'Delete the admin events'),
  ];
}
