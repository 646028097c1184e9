import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { WaitingEvent } from '../../store/store.js';

/** Events that are handed over at once. */
export const MOST_EVENTS = 200;
/** Characters that are handed over at once, but for a single event that is longer. */
const MOST_CHARACTERS = 1_000_000;

/** What of those that wait is handed over next. */
export interface DeliveryBatch {
  /** Rows that it settles: of two of one event the later one counts, and what has expired goes nowhere. */
  readonly rows: readonly WaitingEvent[];
  readonly events: readonly StoredEvent[];
}

/** @param waiting the first that wait, in order */
export function nextBatch(waiting: readonly WaitingEvent[], now: number): DeliveryBatch {
  const rows: WaitingEvent[] = [];
  let characters = 0;
  for (const row of waiting) {
    characters += row.body.length;
    if (rows.length > 0 && characters > MOST_CHARACTERS) break;
    rows.push(row);
  }
  const last = new Map(rows.map((row) => [row.id, row]));
  const wanted = rows.filter((row) => last.get(row.id) === row && (row.expiresAt ?? now) >= now);
  return { rows, events: wanted.map(storedEvent) };
}

function storedEvent({ kind, body, expiresAt }: WaitingEvent): StoredEvent {
  const event = JSON.parse(body) as Event & AdminEvent;
  return defined({ kind, event, expiresAt }) as StoredEvent;
}
