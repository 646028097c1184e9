import type { OperationName } from '../records/operations.js';
import type { EventRecord } from '../store.js';
import type { TransactionalEventScope, TransactionalEvents } from '../transactional-events.js';

/** Writes that never carry events: counters, caches and other bookkeeping, and writes of events themselves. */
const WITHOUT_EVENTS: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['counters.bump', 'counters.release', 'marks.claim', 'keys.addFirst', 'sessions.touch', 'sweep'] as const),
  ...(['realms.bring', 'realms.forget', 'events.append', 'eventOutbox.remove', 'users.signedIn'] as const),
]);

export interface CarriedEvents {
  /** Written with the operation's change, and not at all if it changes nothing. */
  readonly events: readonly EventRecord[];
  /** The recordings that these events belong to, notified when they are written. */
  readonly recordings: readonly TransactionalEvents[];
}

const NONE: CarriedEvents = { events: [], recordings: [] };

/**
 * The events that a write carries. Until one change is known to have carried them, every write does: of two at the same
 * time either may be the first. An event that is appended twice is stored once.
 */
export function carriedEvents(
  recordings: TransactionalEventScope,
  called: OperationName,
  parameters: readonly unknown[],
): CarriedEvents {
  // A fenced write is the write that it fences.
  const name = called === 'fenced' ? (parameters[1] as OperationName) : called;
  const waiting = WITHOUT_EVENTS.has(name) ? undefined : recordings.current?.waiting(name);
  return waiting === undefined ? NONE : { events: [...waiting.values()].flat(), recordings: [...waiting.keys()] };
}
