import type { Json } from './json-schema.js';

/** The times of a provider's scheduled work, in each realm that enables it. */
export type Schedule = (
  | {
      /** The interval in seconds between the scheduled times of two runs: 10 or more. */
      readonly every: number;
    }
  | {
      /**
       * Minute, hour, day of the month, month and day of the week, such as `0 3 * * *`. Six parts begin with the
       * seconds.
       */
      readonly cron: string;
      /** An IANA time zone, such as `Europe/Berlin`. Default: UTC */
      readonly timeZone?: string;
    }
) & {
  /**
   * The member of the provider's `realmConfig` that overrides the schedule: a number replaces `every`, a text replaces
   * `cron`.
   */
  readonly setting?: string;
};

/** A run of scheduled work, or a part of one. */
export interface ScheduledRun {
  /** The scheduled time, in milliseconds since the epoch. */
  readonly scheduledFor: number;
  /**
   * The number of scheduled times that passed since `scheduledFor` without a run, because the host was stopped or the
   * previous run took too long.
   */
  readonly missed: number;
  /** The value of `more` from the previous part, on this node or another; undefined at the start of a run. */
  readonly from?: Json;
  /**
   * A fencing token that grows whenever a node takes over the work. The host refuses writes of a session with an older
   * token. Pass it to other systems that should do the same.
   */
  readonly token: number;
}

/** The result of a part of a run. */
export interface ScheduledOutcome {
  /**
   * Continues the run at once, with this value as `from`. It is stored, so that another node can continue. At most 64
   * KiB of JSON.
   */
  readonly more?: Json;
  /** A summary for operators: at most 200 characters, without personal data. */
  readonly summary?: string;
}

/** The method of a provider that declares a `schedule`. */
export interface ScheduledWork {
  /**
   * Called on one node at a time, in a session without a caller. The limits of every call apply: a part is aborted
   * after 30 seconds. If it throws or the node dies, the part is retried after 5 seconds with growing pauses, up to 5
   * times. Once another node has taken over the work, writes of this call fail with `schedule_lost` (409).
   */
  scheduled?(run: ScheduledRun): Promise<ScheduledOutcome | undefined>;
}
