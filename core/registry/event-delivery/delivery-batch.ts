import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { WaitingEvent } from '../../store/store.js';

/** The limits of a batch. An event that is longer than the limit is sent alone. */
export const BATCH_LIMITS = { rows: 200, characters: 1_000_000 };

/**
 * Selects the events to send from the oldest waiting rows: the latest row of each event, unless it has expired.
 * @param rows the rows in order
 */
export function eventsToSend(rows: readonly WaitingEvent[], now: number): readonly StoredEvent[] {
  const latestRows = new Map(rows.map((row) => [row.id, row]));
  return rows.filter((row) => latestRows.get(row.id) === row && (row.expiresAt ?? now) >= now).map(storedEvent);
}

function storedEvent({ kind, body, expiresAt }: WaitingEvent): StoredEvent {
  const event = JSON.parse(body) as Event & AdminEvent;
  return defined({ kind, event, expiresAt }) as StoredEvent;
}
