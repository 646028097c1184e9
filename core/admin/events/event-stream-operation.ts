import type { Context } from 'koa';
import type { Realms } from '../../realms/realms.js';
import type { EventStore } from '../../store/store.js';
import { badRequest } from '../admin.js';
import { type AdminOperation, requireExchange } from '../operation.js';
import type { AdminQuery } from '../query.js';
import {
  ADMIN_EVENT_FILTERS,
  adminEventFilter,
  type EventFilter,
  USER_EVENT_FILTERS,
  userEventFilter,
} from './event-filter.js';
import type { EventStreams } from './event-streams.js';

export interface EventStreamParts {
  readonly realms: Realms;
  readonly store: { readonly events: EventStore };
  readonly streams: EventStreams;
}

const EVENT_KINDS = ['user', 'admin'];

/** The operation `/events/stream`: a realm's new events as server-sent events (WHATWG HTML §9.2). */
export function eventStreamOperation(parts: EventStreamParts): AdminOperation {
  return {
    method: 'GET',
    path: '/events/stream',
    tag: 'Realms Admin',
    summary: 'New user and admin events (text/event-stream); Last-Event-ID continues a stream',
    roles: ['view-events'],
    notForPlugins: true,
    query: {
      kind: { type: 'string', repeatable: true, description: 'user or admin; default: both.' },
      ...USER_EVENT_FILTERS,
      ...ADMIN_EVENT_FILTERS,
    },
    answers: { status: 200, stream: 'text/event-stream' },
    async handle(call) {
      const { realm, admin, query, reauthorize } = call;
      const { ctx } = requireExchange(call);
      const { user, expiresAt } = admin.tokenAdmin;
      const request = {
        realm,
        filters: await createFilters(parts, query, realm.name),
        cursor: parseCursor(ctx),
        expiresAt,
        reauthorize,
        abort: () => void ctx.res.destroy(),
      };
      return {
        status: 200,
        stream: {
          type: 'text/event-stream',
          open: () => parts.streams.open(`${admin.realm.name} ${user.id}`, request),
        },
      };
    },
  };
}

async function createFilters(
  { realms, store }: EventStreamParts,
  query: AdminQuery,
  realm: string,
): Promise<EventFilter[]> {
  const kinds = query.all('kind').map((kind) => kind.toLowerCase());
  if (kinds.some((kind) => !EVENT_KINDS.includes(kind))) throw badRequest(`kind: must be of ${EVENT_KINDS.join(', ')}`);
  const isRequested = (kind: string) => kinds.length === 0 || kinds.includes(kind);
  return [
    ...(isRequested('user')
      ? [await userEventFilter(query, (eventQuery) => store.events.query(realm, eventQuery))]
      : []),
    ...(isRequested('admin') ? [await adminEventFilter(query, realms)] : []),
  ];
}

/** Parses the cursor of a client that reconnects. @throws AdminError 400 for a value that no stream has sent */
function parseCursor(ctx: Context): number | undefined {
  const id = ctx.get('last-event-id');
  if (id === '') return undefined;
  if (!/^\d{1,15}$/.test(id)) throw badRequest('Last-Event-ID: must be the ID of an event of the stream');
  return Number(id);
}
