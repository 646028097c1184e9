import type { AdminEvent, Event } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { defined } from '../../model/defined.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { Realms } from '../../realms/realms.js';
import type { Events } from '../../registry/events/events.js';
import type { EventStore } from '../../store/store.js';
import { badRequest } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { EVENT_QUERY, eventPage, given } from './event-query.js';

export interface EventOperationParts {
  readonly realms: Realms;
  readonly events: Events;
  readonly store: { readonly events: EventStore };
}

const TAG = 'Realms Admin';
const OPERATION_TYPES = ['CREATE', 'UPDATE', 'DELETE', 'ACTION'];
const LIST = { type: 'array', items: { type: 'object' } } as const;

/** `/events` and `/admin-events` of a realm: what the store kept of them. */
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
  return [
    {
      method: 'GET',
      path: '/events',
      tag: TAG,
      summary: 'Events of users and clients, newest first',
      roles: ['view-events'],
      query: {
        type: { type: 'string', repeatable: true, description: 'Types, such as LOGIN_ERROR.' },
        client: { type: 'string', description: 'clientId' },
        user: { type: 'string', description: 'Id of a user.' },
        ipAddress: { type: 'string' },
        ...EVENT_QUERY,
      },
      answers: { status: 200, body: LIST },
      async handle({ realm, query }) {
        const filter = given({
          clientId: query.string('client'),
          userId: query.string('user'),
          ipAddress: query.string('ipAddress'),
        });
        const types = query.all('type').map((type) => type.toUpperCase());
        await events.written();
        for (const type of types) await requireEventType(store.events, realm.name, type);
        const found = await store.events.query(realm.name, { kind: 'user', types, ...filter, ...eventPage(query) });
        return ok(found.map(({ body }) => shownEvent(JSON.parse(body) as Event)));
      },
    },
    {
      method: 'GET',
      path: '/admin-events',
      tag: TAG,
      summary: 'What admins did, newest first',
      roles: ['view-events'],
      query: {
        operationTypes: { type: 'string', repeatable: true, description: 'CREATE, UPDATE, DELETE, ACTION.' },
        resourceTypes: { type: 'string', repeatable: true, description: 'Such as USER.' },
        resourcePath: { type: 'string', description: 'A path below the realm; * stands for any text.' },
        authRealm: { type: 'string', description: 'Name or id of the realm whose admin it was.' },
        authClient: { type: 'string', description: 'Internal id of a client.' },
        authUser: { type: 'string', description: 'Id of a user.' },
        authIpAddress: { type: 'string' },
        ...EVENT_QUERY,
      },
      answers: { status: 200, body: LIST },
      async handle({ realm, query }) {
        const authRealm = query.string('authRealm');
        const filter = given({
          clientId: query.string('authClient'),
          userId: query.string('authUser'),
          ipAddress: query.string('authIpAddress'),
          resourcePath: query.string('resourcePath'),
          authRealmId: authRealm && ((await realms.get(authRealm))?.id ?? authRealm),
        });
        const types = query.all('operationTypes').map((type) => type.toUpperCase());
        const unknown = types.find((type) => !OPERATION_TYPES.includes(type));
        if (unknown !== undefined) throw badRequest(`operationTypes: must be of ${OPERATION_TYPES.join(', ')}`);
        const resourceTypes = query.all('resourceTypes').map((type) => type.toUpperCase());
        await events.written();
        const found = await store.events.query(realm.name, {
          kind: 'admin',
          types,
          resourceTypes,
          ...filter,
          ...eventPage(query),
        });
        return ok(found.map(({ body }) => shownAdminEvent(JSON.parse(body) as AdminEvent)));
      },
    },
    clear('/events', 'user', 'Forget the events of users and clients'),
    clear('/admin-events', 'admin', 'Forget what admins did'),
  ];
}

/** Plugins have types of their own: they are known by what was stored. @throws AdminError 400 */
async function requireEventType(store: EventStore, realm: string, type: string): Promise<void> {
  if (EVENT_TYPES.includes(type)) return;
  if ((await store.query(realm, { kind: 'user', types: [type], max: 1 })).length > 0) return;
  const near = didYouMean(type, EVENT_TYPES);
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
  throw badRequest(
    `type: there is no event type "${type.slice(0, 100)}"${hint}: it is one of ${EVENT_TYPES.join(', ')}`,
  );
}

function shownEvent({ realmName: _, ...event }: Event) {
  return event;
}

/** Keycloak's `representation` is a text that holds JSON. */
function shownAdminEvent({ realmName: _, representation, ...event }: AdminEvent) {
  return { ...event, ...defined({ representation: JSON.stringify(representation) }) };
}
