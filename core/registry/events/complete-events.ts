import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { Realm } from '../../model/realm.js';
import type { EventRecord } from '../../store/store.js';
import { eventRecord } from './event-records.js';
import { eventStoresOf } from './stores-of-realm.js';

/** Event types that Keycloak does not save unless `enabledEventTypes` lists them. Event types of plugins are saved. */
const NOT_SAVED_BY_DEFAULT = new Set([
  'PERMISSION_TOKEN_ERROR',
  'USER_DISABLED_BY_PERMANENT_LOCKOUT_ERROR',
  'USER_DISABLED_BY_TEMPORARY_LOCKOUT_ERROR',
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
    // Added in Keycloak 26.5, so tools that rely on `systemInfo.version` do not expect them. Keyhost does not emit
    // them.
    'JWT_AUTHORIZATION_GRANT',
    'VERIFIABLE_CREDENTIAL_CREATE_OFFER',
    'VERIFIABLE_CREDENTIAL_NONCE_REQUEST',
    'VERIFIABLE_CREDENTIAL_OFFER_REQUEST',
    'VERIFIABLE_CREDENTIAL_PRE_AUTHORIZED_GRANT',
    'VERIFIABLE_CREDENTIAL_REQUEST',
  ].flatMap((type) => [type, `${type}_ERROR`]),
]);

/** Keycloak's types that are saved if `enabledEventTypes` is empty. */
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
  /**
   * The key under which statistics count a success: `grant:` and the grant type, the credential types, or
   * `impersonation`. It is not a part of the event.
   */
  readonly counted?: string | undefined;
}

export type NewAdminEvent = Omit<AdminEvent, 'id' | 'time' | 'realmId' | 'realmName'>;

/**
 * The members of an event that stay the same if it is completed (the realm's members are added to it) several times.
 */
export interface EventIdentity {
  readonly id: string;
  readonly time: number;
}

/**
 * An event as listeners receive it, with its row if the realm saves it. `isDetailed` of an admin event is true if
 * listeners may show the representation.
 */
export interface CompleteEvent<E> {
  readonly event: E;
  readonly record: EventRecord | undefined;
  readonly isDetailed?: boolean;
}

export function completeUserEvent(realm: Realm, event: NewEvent, identity: EventIdentity): CompleteEvent<Event> {
  const complete: Event = Object.freeze(
    defined({
      id: identity.id,
      time: identity.time,
      type: event.error === undefined ? event.type : `${event.type}_ERROR`,
      realmId: realm.id,
      realmName: realm.name,
      clientId: event.clientId && sanitize(event.clientId),
      userId: event.userId && sanitize(event.userId),
      sessionId: event.sessionId,
      ipAddress: event.ipAddress,
      error: event.error,
      details: Object.freeze(sanitizeAll(event.details ?? {})),
    }),
  );
  const isStored = realm.eventsEnabled && isTypeSaved(realm, complete.type);
  return {
    event: complete,
    record: isStored ? recordFor(realm, { kind: 'user', event: complete }, realm.eventsExpiration) : undefined,
  };
}

/**
 * Completes an admin event. Listeners always get the representation, as in Keycloak, with a flag that is true if they
 * may show it. The flag is true if the realm has `adminEventsDetailsEnabled`, or with `options.detailed`. Only then is
 * the representation stored.
 * @param event the event, with every secret masked
 * @param options.detailed true to always store the representation
 */
export function completeAdminEvent(
  realm: Realm,
  { representation, ...event }: NewAdminEvent,
  identity: EventIdentity,
  options: { readonly detailed?: true },
): CompleteEvent<AdminEvent> {
  const { adminEventsEnabled, adminEventsDetailsEnabled } = realm.settings;
  const isDetailed = adminEventsDetailsEnabled || options.detailed === true;
  const complete: AdminEvent = Object.freeze({
    ...identity,
    realmId: realm.id,
    realmName: realm.name,
    ...event,
    resourcePath: sanitize(event.resourcePath),
    ...defined({ representation }),
  });
  if (!adminEventsEnabled) return { event: complete, record: undefined, isDetailed };
  const { representation: _, ...brief } = complete;
  const storedEvent = isDetailed ? complete : (brief as AdminEvent);
  const record = recordFor(realm, { kind: 'admin', event: storedEvent }, realm.settings.adminEventsExpiration);
  return { event: complete, record, isDetailed };
}

/**
 * Returns the row of an event, for the stores that the realm uses. Its position in the outbox is assigned when it is
 * written.
 * @param retentionSeconds the retention time; 0 for no limit
 * @returns undefined if the realm has no event store
 */
function recordFor(realm: Realm, storedEvent: StoredEvent, retentionSeconds: number): EventRecord | undefined {
  const { hasBuiltIn, hasPluginStore } = eventStoresOf(realm);
  if (!hasBuiltIn && !hasPluginStore) return undefined;
  const expiresAt = expiryOf(storedEvent.event.time, retentionSeconds);
  const record = eventRecord(realm.name, defined({ ...storedEvent, expiresAt }) as StoredEvent);
  if (!hasPluginStore) return record;
  return { ...record, ...(hasBuiltIn ? {} : { isKept: false }), position: 0 };
}

/**
 * Returns the time in milliseconds since the epoch at which an event expires.
 * @param retentionSeconds the retention time; 0 for no limit
 */
function expiryOf(time: number, retentionSeconds: number): number | undefined {
  return retentionSeconds > 0 ? time + retentionSeconds * 1000 : undefined;
}

function isTypeSaved(realm: Realm, type: string): boolean {
  return realm.enabledEventTypes.size > 0 ? realm.enabledEventTypes.has(type) : !NOT_SAVED_BY_DEFAULT.has(type);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f\u2028\u2029]/;
const CONTROL_CHARACTERS = new RegExp(CONTROL_CHARACTER, 'g');

/** Removes control characters, which could forge log lines, and limits the length. */
function sanitize(value: string): string {
  const text = value.length > MAX_DETAIL_LENGTH ? value.slice(0, MAX_DETAIL_LENGTH) : value;
  return CONTROL_CHARACTER.test(text) ? text.replace(CONTROL_CHARACTERS, ' ') : text;
}

function sanitizeAll(details: Readonly<Record<string, string>>): Record<string, string> {
  const sanitized: Record<string, string> = {};
  for (const name of Object.keys(details)) sanitized[name] = sanitize(details[name] ?? '');
  return sanitized;
}
