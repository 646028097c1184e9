import type { Recording, Recordings } from '../recording.js';
import type { OperationName } from '../records/operations.js';
import type { EventRecord } from '../store.js';

/** Writes that are no change of whoever works: what is counted, kept and fetched by the way, and events that go by themselves. */
const CARRY_NOTHING: ReadonlySet<OperationName> = new Set<OperationName>([
  ...(['counters.bump', 'counters.release', 'marks.claim', 'keys.addFirst', 'sessions.touch', 'sweep'] as const),
  ...(['realms.bring', 'realms.forget', 'events.append', 'eventOutbox.remove', 'users.signedIn'] as const),
]);

export interface CarriedEvents {
  /** To be written with what the operation changes, and not at all where it changes nothing. */
  readonly events: readonly EventRecord[];
  /** Whose they are: to be told when they are written. */
  readonly recordings: readonly Recording[];
}

const NONE: CarriedEvents = { events: [], recordings: [] };

/**
 * What a write that is called now carries. Until a change is known to have carried them every write does: of two at once
 * either may be the first, and an event is there once however often it is appended.
 */
export function carriedEvents(
  recordings: Recordings,
  called: OperationName,
  parameters: readonly unknown[],
): CarriedEvents {
  // A fenced write is the write that it fences.
  const name = called === 'fenced' ? (parameters[1] as OperationName) : called;
  const waiting = CARRY_NOTHING.has(name) ? undefined : recordings.current?.waiting(name);
  return waiting === undefined ? NONE : { events: [...waiting.values()].flat(), recordings: [...waiting.keys()] };
}
