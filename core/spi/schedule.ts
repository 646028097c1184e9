import type { Json } from './json-schema.js';

/** When a provider has work to do, in each realm where it is on. */
export type Schedule = (
  | {
      /** Seconds from one run to the next, counted from when they were due: 10 or more. */
      readonly every: number;
    }
  | {
      /** Minute, hour, day of the month, month and day of the week, such as `0 3 * * *`; with seconds in front it has six parts. */
      readonly cron: string;
      /** An IANA time zone, such as `Europe/Berlin`. Default: UTC */
      readonly timeZone?: string;
    }
) & {
  /** The member of the provider's `realmConfig` that replaces it: a number is `every`, a text is `cron`. */
  readonly setting?: string;
};

/** A run of scheduled work, or a part of one. */
export interface ScheduledRun {
  /** When it was due, in milliseconds since the epoch. */
  readonly scheduledFor: number;
  /** How many times since then passed without a run: the host was off, or the run before took so long. */
  readonly missed: number;
  /** What the part before gave as `more`, on this node or on one that is gone; undefined: the run begins. */
  readonly from?: Json;
  /**
   * Grows whenever a node takes the work on. The host refuses what a session with an older one writes; give it to other systems
   * that should do the same.
   */
  readonly token: number;
}

/** How a part of a run ended. */
export interface ScheduledOutcome {
  /** The run goes on at once, with this as `from`; kept, so that another node goes on from here. At most 64 KiB of JSON. */
  readonly more?: Json;
  /** What was done, for operators: at most 200 characters, and nobody's data. */
  readonly summary?: string;
}

/** A provider that declares a `schedule` works at these times. */
export interface ScheduledWork {
  /**
   * Called on one node at a time, in a session without a caller, held to the limits of every call: a part of 30 seconds is ended.
   * After a throw, or the end of the node, the part is called again: after 5 seconds and growing pauses, up to 5 times. What it
   * writes once another node has taken the work on is refused with `schedule_lost` (409).
   */
  scheduled?(run: ScheduledRun): Promise<ScheduledOutcome | undefined>;
}
