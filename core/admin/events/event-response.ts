import type { AdminEvent, Event } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/** Caches the JSON of recent events while they are being sent to several clients. */
const TEXTS = new WeakMap<EventRecord, string>();

/** A saved event as Keycloak shows it. */
export function eventResponse(event: Event | AdminEvent): object {
  return 'operationType' in event ? adminEvent(event) : userEvent(event);
}

/** The event as JSON. It is serialised once for all streams. */
export function eventJson(event: EventRecord): string {
  const text = TEXTS.get(event) ?? JSON.stringify(eventResponse(JSON.parse(event.body)));
  TEXTS.set(event, text);
  return text;
}

function userEvent({ realmName: _, ...event }: Event) {
  return event;
}

/** Keycloak's `representation` is a string that holds JSON. */
function adminEvent({ realmName: _, representation, ...event }: AdminEvent) {
  return { ...event, ...defined({ representation: JSON.stringify(representation) }) };
}
