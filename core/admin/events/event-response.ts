import type { AdminEvent, Event } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/** Caches the JSON of recent events that are being sent to several clients. */
const JSON_CACHE = new WeakMap<EventRecord, string>();

/** An event as Keycloak's API returns it. */
export function eventResponse(event: Event | AdminEvent): object {
  return 'operationType' in event ? toAdminEvent(event) : toUserEvent(event);
}

/** The event as JSON. It is serialized once for all streams. */
export function eventJson(event: EventRecord): string {
  const text = JSON_CACHE.get(event) ?? JSON.stringify(eventResponse(JSON.parse(event.body)));
  JSON_CACHE.set(event, text);
  return text;
}

function toUserEvent({ realmName: _, ...event }: Event) {
  return event;
}

/** Keycloak's `representation` is a string that contains JSON. */
function toAdminEvent({ realmName: _, representation, ...event }: AdminEvent) {
  return { ...event, ...defined({ representation: JSON.stringify(representation) }) };
}
