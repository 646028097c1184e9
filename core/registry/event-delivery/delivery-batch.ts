import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { WaitingEvent } from '../../store/store.js';

/** What is handed over at once, but for a single event that is longer. */
export const MOST_AT_ONCE = { rows: 200, characters: 1_000_000 };

/**
 * What is handed over of the first that wait: of two of one event the later one counts, and what has expired goes nowhere.
 * @param rows in order
 */
export function eventsOf(rows: readonly WaitingEvent[], now: number): readonly StoredEvent[] {
  const last = new Map(rows.map((row) => [row.id, row]));
  return rows.filter((row) => last.get(row.id) === row && (row.expiresAt ?? now) >= now).map(storedEvent);
}

function storedEvent({ kind, body, expiresAt }: WaitingEvent): StoredEvent {
  const event = JSON.parse(body) as Event & AdminEvent;
  return defined({ kind, event, expiresAt }) as StoredEvent;
}
