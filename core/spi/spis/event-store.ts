import type { JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { AdminEvent, Event } from '../views.js';
import { object, optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** The declaration of an event store (Keycloak's EventStoreProviderFactory). */
export type EventStoreDeclaration = Pick<Described, 'describe'>;

/**
 * An event to store. Delete it at `expiresAt` (milliseconds since the epoch); without `expiresAt`, it does not expire.
 */
export type StoredEvent =
  | { readonly kind: 'user'; readonly event: Event; readonly expiresAt?: number }
  | { readonly kind: 'admin'; readonly event: AdminEvent; readonly expiresAt?: number };

/** The result of storing events. */
export interface StoringOutcome {
  /**
   * The IDs of events that the store rejects permanently, and that the host does not send again. `reason` is logged and
   * must contain no secrets.
   */
  readonly refused?: readonly { readonly id: string; readonly reason: string }[];
}

/** A query for events of the realm. An absent member does not restrict the result. */
export interface EventQuery {
  readonly kind: 'user' | 'admin';
  /** The ID of a single event. */
  readonly id?: string;
  /** Event types of user events, or `operationType`s of admin events. */
  readonly types?: readonly string[];
  /** For admin events, `clientId`, `userId` and `ipAddress` are those of `authDetails`. */
  readonly clientId?: string;
  readonly userId?: string;
  readonly ipAddress?: string;
  /** Milliseconds since the epoch, both included. */
  readonly from?: number;
  readonly to?: number;
  /** User events only. */
  readonly sessionId?: string;
  /** User events only: `details.token_id`. */
  readonly tokenId?: string;
  /** Admin events only. `*` in `resourcePath` matches any text; letter case is ignored. */
  readonly resourceTypes?: readonly string[];
  readonly resourcePath?: string;
  /** Admin events only: `authDetails.realmId`. */
  readonly authRealmId?: string;
  /** Sorts by `time`, then `id`. Default: the newest first. */
  readonly oldestFirst?: boolean;
  /** The number of events to skip. */
  readonly first: number;
  /** The maximum number of events to return. */
  readonly max: number;
}

/** Keycloak's EventStoreProvider. The realm is `session.realm`. */
export interface EventStoreProvider {
  /**
   * Stores at most 200 events, in order. Until the call succeeds, this node or another sends the events again, so store
   * each `id` of a realm only once. If an event with the same `id` differs, the newer one replaces it. An error means
   * that the store is unavailable, and the events wait.
   */
  store(batch: { readonly events: readonly StoredEvent[] }): Promise<StoringOutcome | undefined>;
  /** Returns the events that match a query. Without this method, the host returns those in its own store. */
  query?(query: EventQuery): Promise<{ readonly events: readonly (Event | AdminEvent)[] }>;
  /** Deletes the realm's events of a kind. Without this method the host deletes only those in its own store. */
  clear?(request: { readonly kind: 'user' | 'admin' }): Promise<{ readonly removed: number }>;
}

const TEXT: JsonSchema = { type: 'string' };
const EVENT: JsonSchema = {
  type: 'object',
  required: ['id', 'time', 'realmId'],
  properties: { id: TEXT, time: { type: 'integer' }, realmId: TEXT },
};

/**
 * Stores the events of a realm outside of the host. A realm can enable at most one in addition to the built-in `jpa`
 * (Keycloak's ID).
 * @example
 * ```ts
 * import { EventStore, provide } from '@keyhost/spi';
 *
 * export default provide(EventStore, {
 *   id: 'last-month',
 *   open: () => ({
 *     create: ({ store }) => ({
 *       async store({ events }) {
 *         for (const { kind, event } of events) {
 *           await store.put(`${kind} ${event.id}`, JSON.parse(JSON.stringify(event)), { expiresIn: 30 * 86_400 });
 *         }
 *         return undefined;
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const EventStore = spi<EventStoreDeclaration, EventStoreProvider>({
  id: 'eventsStore',
  name: 'EventStore',
  // Events contain no token, link or secret.
  carries: 'nothing',
  declares: ['describe'],
  describes: DESCRIBES,
  onePerRealm: true,
  methods: { required: ['store'], optional: ['query', 'clear'] },
  answers: {
    store: optional(object({}, { refused: { type: 'array', items: object({ id: TEXT, reason: TEXT }) } })),
    query: optional(object({ events: { type: 'array', items: EVENT } })),
    clear: optional(object({ removed: { type: 'integer', minimum: 0 } })),
  },
  check: checkDescribed,
});
