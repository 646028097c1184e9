import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { Realm } from '../../model/realm.js';
import type { EventRecord } from '../../store/store.js';
import { eventRecord } from './event-records.js';
import { storesOf } from './stores-of-realm.js';

/** Types that Keycloak does not save unless `enabledEventTypes` names them. The types of plugins are saved. */
const NOT_SAVED_BY_DEFAULT = new Set([
  ...['PERMISSION_TOKEN_ERROR', 'USER_DISABLED_BY_PERMANENT_LOCKOUT_ERROR', 'USER_DISABLED_BY_TEMPORARY_LOCKOUT_ERROR'],
  ...[
    'REFRESH_TOKEN',
    'VALIDATE_ACCESS_TOKEN',
    'INTROSPECT_TOKEN',
    'INVALID_SIGNATURE',
    'REGISTER_NODE',
    'UNREGISTER_NODE',
    'USER_INFO_REQUEST',
    'IDENTITY_PROVIDER_LOGIN',
    'IDENTITY_PROVIDER_RESPONSE',
    'IDENTITY_PROVIDER_RETRIEVE_TOKEN',
    'CLIENT_INFO',
    'PUSHED_AUTHORIZATION_REQUEST',
    // Of Keycloak 26.5 and later, which tools that believe `systemInfo.version` do not expect. Nothing here tells them.
    'JWT_AUTHORIZATION_GRANT',
    'VERIFIABLE_CREDENTIAL_CREATE_OFFER',
    'VERIFIABLE_CREDENTIAL_NONCE_REQUEST',
    'VERIFIABLE_CREDENTIAL_OFFER_REQUEST',
    'VERIFIABLE_CREDENTIAL_PRE_AUTHORIZED_GRANT',
    'VERIFIABLE_CREDENTIAL_REQUEST',
  ].flatMap((type) => [type, `${type}_ERROR`]),
]);

/** Keycloak's types that are saved where `enabledEventTypes` is empty. */
export const SAVED_BY_DEFAULT = EVENT_TYPES.filter((type) => !NOT_SAVED_BY_DEFAULT.has(type));

const MAX_DETAIL_LENGTH = 2000;

export interface NewEvent {
  readonly type: string;
  readonly error?: string | undefined;
  readonly clientId?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly ipAddress?: string | undefined;
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** What statistics tell a success apart by: `grant:` and the grant type, or the kinds of credentials. No event says it. */
  readonly counted?: string | undefined;
}

export type NewAdminEvent = Omit<AdminEvent, 'id' | 'time' | 'realmId' | 'realmName'>;

/** What an event keeps, however often it is put into words. */
export interface Stamp {
  readonly id: string;
  readonly time: number;
}

/** An event as listeners hear it, with its row where the realm saves it. For an admin event `details` says whether that shows what was done. */
export interface CompleteEvent<E> {
  readonly event: E;
  readonly record: EventRecord | undefined;
  readonly details?: boolean;
}

export function completeUserEvent(realm: Realm, event: NewEvent, stamp: Stamp): CompleteEvent<Event> {
  const complete: Event = Object.freeze(
    defined({
      id: stamp.id,
      time: stamp.time,
      type: event.error === undefined ? event.type : `${event.type}_ERROR`,
      realmId: realm.id,
      realmName: realm.name,
      clientId: event.clientId && clean(event.clientId),
      userId: event.userId && clean(event.userId),
      sessionId: event.sessionId,
      ipAddress: event.ipAddress,
      error: event.error,
      details: Object.freeze(cleanAll(event.details ?? {})),
    }),
  );
  const isKept = realm.eventsEnabled && isSaved(realm, complete.type);
  return {
    event: complete,
    record: isKept ? placed(realm, { kind: 'user', event: complete }, realm.eventsExpiration) : undefined,
  };
}

/**
 * Listeners get the representation in any case, as in Keycloak, and whether the realm says `adminEventsDetailsEnabled`: only
 * then it is stored.
 * @param event with every secret masked
 * @param options.detailed the representation is stored in any case
 */
export function completeAdminEvent(
  realm: Realm,
  { representation, ...event }: NewAdminEvent,
  stamp: Stamp,
  options: { readonly detailed?: true },
): CompleteEvent<AdminEvent> {
  const { adminEventsEnabled, adminEventsDetailsEnabled } = realm.settings;
  const isDetailed = adminEventsDetailsEnabled || options.detailed === true;
  const complete: AdminEvent = Object.freeze({
    ...stamp,
    realmId: realm.id,
    realmName: realm.name,
    ...event,
    resourcePath: clean(event.resourcePath),
    ...defined({ representation }),
  });
  if (!adminEventsEnabled) return { event: complete, record: undefined, details: isDetailed };
  const { representation: _, ...brief } = complete;
  const kept = isDetailed ? complete : (brief as AdminEvent);
  const record = placed(realm, { kind: 'admin', event: kept }, realm.settings.adminEventsExpiration);
  return { event: complete, record, details: isDetailed };
}

/**
 * With what says where it is kept. A place among those that wait is given when it is written.
 * @param seconds how long it is kept; 0: for ever
 * @returns undefined: it is kept nowhere
 */
function placed(realm: Realm, stored: StoredEvent, seconds: number): EventRecord | undefined {
  const { own, other } = storesOf(realm);
  if (!own && !other) return undefined;
  const expiresAt = expiry(stored.event.time, seconds);
  const record = eventRecord(realm.name, defined({ ...stored, expiresAt }) as StoredEvent);
  return { ...record, ...(own ? {} : { isKept: false }), ...(other ? { position: 0 } : {}) };
}

/** @param seconds 0: kept */
function expiry(time: number, seconds: number): number | undefined {
  return seconds > 0 ? time + seconds * 1000 : undefined;
}

function isSaved(realm: Realm, type: string): boolean {
  return realm.enabledEventTypes.size > 0 ? realm.enabledEventTypes.has(type) : !NOT_SAVED_BY_DEFAULT.has(type);
}

/** Control characters cannot forge log lines, and no detail grows without bound. */
function clean(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return value.slice(0, MAX_DETAIL_LENGTH).replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, ' ');
}

function cleanAll(details: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, clean(value)]));
}
