import type { AdminEvent, Event } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/** Of the last events, while somebody still has to be told of them. */
const TEXTS = new WeakMap<EventRecord, string>();

/** A kept event as Keycloak shows it. */
export function shownEvent(event: Event | AdminEvent): object {
  return 'operationType' in event ? adminEvent(event) : userEvent(event);
}

/** As JSON; put together once, however many are told. */
export function shownText(event: EventRecord): string {
  const text = TEXTS.get(event) ?? JSON.stringify(shownEvent(JSON.parse(event.body)));
  TEXTS.set(event, text);
  return text;
}

function userEvent({ realmName: _, ...event }: Event) {
  return event;
}

/** Keycloak's `representation` is a text that holds JSON. */
function adminEvent({ realmName: _, representation, ...event }: AdminEvent) {
  return { ...event, ...defined({ representation: JSON.stringify(representation) }) };
}
