import type { JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { AdminEvent, Event } from '../views.js';
import { object, optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** What an event store declares (Keycloak's EventStoreProviderFactory). */
export type EventStoreDeclaration = Pick<Described, 'describe'>;

/** An event that a realm keeps. `expiresAt` in milliseconds since the epoch: delete it then. Absent: it stays. */
export type StoredEvent =
  | { readonly kind: 'user'; readonly event: Event; readonly expiresAt?: number }
  | { readonly kind: 'admin'; readonly event: AdminEvent; readonly expiresAt?: number };

export interface StoringOutcome {
  /** Events that you never take, by their ids: they are not sent again. `reason` is for the log, and has no secrets. */
  readonly refused?: readonly { readonly id: string; readonly reason: string }[];
}

/** Which events of the realm are wanted. A member that is absent asks for nothing. */
export interface EventQuery {
  readonly kind: 'user' | 'admin';
  /** That one alone. */
  readonly id?: string;
  /** Event types of user events, `operationType`s of admin events. */
  readonly types?: readonly string[];
  /** Of admin events: of `authDetails`, as the two below. */
  readonly clientId?: string;
  readonly userId?: string;
  readonly ipAddress?: string;
  /** Milliseconds since the epoch, both included. */
  readonly from?: number;
  readonly to?: number;
  /** Of user events. */
  readonly sessionId?: string;
  /** Of user events: `details.token_id`. */
  readonly tokenId?: string;
  /** Of admin events. In the path `*` stands for any text; upper and lower case are alike. */
  readonly resourceTypes?: readonly string[];
  readonly resourcePath?: string;
  /** Of admin events: `authDetails.realmId`. */
  readonly authRealmId?: string;
  /** By `time`, then `id`. Default: the newest first. */
  readonly oldestFirst?: boolean;
  /** How many of them are left out. */
  readonly first: number;
  /** At most so many. */
  readonly max: number;
}

/** Keycloak's EventStoreProvider. The realm is `session.realm`. */
export interface EventStoreProvider {
  /**
   * Keeps events: at most 200, in order. They come again until it has answered, from this node or another one, so keep each `id` of a
   * realm once. Where one that you have says something else now, the newer one counts. What it throws says that the store is away:
   * the events wait.
   */
  store(batch: { readonly events: readonly StoredEvent[] }): Promise<StoringOutcome | undefined>;
  /** Without it the host answers from its own store. */
  query?(query: EventQuery): Promise<{ readonly events: readonly (Event | AdminEvent)[] }>;
  /** Deletes the realm's events of a kind. Without it they stay, and the host deletes its own alone. */
  clear?(request: { readonly kind: 'user' | 'admin' }): Promise<{ readonly removed: number }>;
}

const TEXT: JsonSchema = { type: 'string' };
const EVENT: JsonSchema = {
  type: 'object',
  required: ['id', 'time', 'realmId'],
  properties: { id: TEXT, time: { type: 'integer' }, realmId: TEXT },
};

/** Keeps the events of a realm elsewhere. A realm has at most one on beside the built-in `jpa` (Keycloak's ID). */
export const EventStore = spi<EventStoreDeclaration, EventStoreProvider>({
  id: 'eventsStore',
  name: 'EventStore',
  // Events hold no token, link or secret.
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
