import type { OperationName } from '../records/operations.js';
import type { EventRecord } from '../store.js';
import type { TransactionalEventScope, TransactionalEvents } from '../transactional-events.js';

/** Writes that never carry events: counters, caches and other bookkeeping, and writes of events themselves. */
const WITHOUT_EVENTS: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['counters.bump', 'counters.release', 'marks.claim', 'keys.addFirst', 'sessions.touch', 'sweep'] as const),
  ...(['realms.bring', 'realms.forget', 'events.append', 'eventOutbox.remove', 'users.signedIn'] as const),
  ...(['userLoads.begin', 'userLoads.add', 'userLoads.undo'] as const),
]);

export interface CarriedEvents {
  /** The events to write together with the operation's change; not written if it changes nothing. */
  readonly events: readonly EventRecord[];
  /** The recordings to which these events belong. They are notified when the events are written. */
  readonly recordings: readonly TransactionalEvents[];
}

const NO_EVENTS: CarriedEvents = { events: [], recordings: [] };

/**
 * Returns the events that a write carries. All writes carry them until it is known that one of them has changed
 * something, because any of several concurrent writes may be the first. An event that is appended twice is stored once.
 */
export function carriedEvents(
  recordings: TransactionalEventScope,
  called: OperationName,
  parameters: readonly unknown[],
): CarriedEvents {
  // Use the name of the write that the fence protects.
  const name = called === 'fenced' ? (parameters[1] as OperationName) : called;
  const eventsByRecording = WITHOUT_EVENTS.has(name) ? undefined : recordings.current?.pendingFor(name);
  return eventsByRecording === undefined
    ? NO_EVENTS
    : { events: [...eventsByRecording.values()].flat(), recordings: [...eventsByRecording.keys()] };
}
