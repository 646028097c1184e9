import type { AdminEvent } from '../../api/events.ts';
import { parsed } from '../events/sentences/admin-names.ts';

/** A value that an event sent, and the value before it. */
export interface ChangedValue {
  /** The place of the value, such as `attributes.phone`. */
  readonly place: string;
  /** Undefined if no earlier event contains the value. */
  readonly before: string | undefined;
  /** Undefined if the object is deleted. */
  readonly after: string | undefined;
  /** True for a secret, of which events show only that it was sent. */
  readonly isMasked: boolean;
}

export interface Changes {
  readonly changed: readonly ChangedValue[];
  /** Values without an earlier event that contains them, so it is unknown whether they have changed. */
  readonly unknown: readonly ChangedValue[];
  /** The number of values that are the same as in the earlier events. */
  readonly unchanged: number;
}

const MASK = '**********';
type Values = ReadonlyMap<string, string>;

/**
 * Compares an event with the earlier events of the same resource: an update contains only some values, so each value
 * is compared with the latest earlier event that contains it.
 * @param earlier newest first
 */
export function changesOf(event: AdminEvent, earlier: readonly AdminEvent[]): Changes {
  const before = valuesBefore(event, earlier);
  const sent = valuesOf(event);
  if (event.operationType === 'DELETE') {
    const changed = [...before].map(([place, value]) => ({ place, before: value, after: undefined, isMasked: false }));
    return { changed, unknown: [], unchanged: 0 };
  }
  const values = [...sent].map(([place, after]) => ({
    place,
    before: before.get(place),
    after,
    isMasked: after.includes(MASK),
  }));
  const isNew = event.operationType === 'CREATE';
  const differs = ({ before: old, after, isMasked }: ChangedValue) => isMasked || old !== after;
  const isKnown = ({ before: old, isMasked }: ChangedValue) => isNew || isMasked || old !== undefined;
  return {
    changed: values.filter((value) => isKnown(value) && differs(value)),
    unknown: values.filter((value) => !isKnown(value)),
    unchanged: values.filter((value) => isKnown(value) && !differs(value)).length,
  };
}

/** The values of the object before the event, as far as earlier events contain them. */
function valuesBefore(event: AdminEvent, earlier: readonly AdminEvent[]): Values {
  const values = new Map<string, string>();
  if (event.operationType === 'CREATE') return values;
  for (const other of earlier) {
    if (other.id === event.id || other.time > event.time || other.resourcePath !== event.resourcePath) continue;
    // Values from before a deletion belong to another object.
    if (other.operationType === 'DELETE') break;
    for (const [place, value] of valuesOf(other)) if (!values.has(place)) values.set(place, value);
  }
  return values;
}

/** The values of the representation by their places. A list is one value. */
function valuesOf({ representation }: AdminEvent): Values {
  const values = new Map<string, string>();
  collect(parsed(representation), '', values);
  return values;
}

function collect(value: unknown, place: string, values: Map<string, string>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value))
      collect(member, place === '' ? name : `${place}.${name}`, values);
  } else if (value !== undefined) values.set(place, textOf(value));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return JSON.stringify(value);
}
