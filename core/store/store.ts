import type { Fence } from './fence.js';
import type { ActionTokenKey, ActionTokenStore } from './interface/action-tokens.js';
import type { ChangeStore } from './interface/changes.js';
import type { CounterStore } from './interface/counters.js';
import type { EntryStore } from './interface/entries.js';
import type { EventOutbox } from './interface/event-outbox.js';
import type { EventRecord, EventStore } from './interface/events.js';
import type { FamilyRecord, FamilyStore } from './interface/families.js';
import type { KeyStore } from './interface/keys.js';
import type { SingleUseStore } from './interface/marks.js';
import type { RealmStore } from './interface/realms.js';
import type { ClientSessionRecord, SessionStore, UserSessionRecord } from './interface/sessions.js';
import type { StatisticsStore } from './interface/statistics.js';
import type { OneTimeTokenStore } from './interface/tickets.js';
import type { UserStore } from './interface/users.js';

export type * from './interface/action-tokens.js';
export type * from './interface/changes.js';
export type * from './interface/counters.js';
export type * from './interface/entries.js';
export type * from './interface/event-outbox.js';
export type * from './interface/events.js';
export type * from './interface/families.js';
export type * from './interface/keys.js';
export type * from './interface/marks.js';
export type * from './interface/realms.js';
export type * from './interface/sessions.js';
export type * from './interface/statistics.js';
export type * from './interface/tickets.js';
export type * from './interface/users.js';

/**
 * The records that survive a restart. Every method is one atomic operation. When its promise resolves, the result is on
 * disk, unless the method is "relaxed". The caller passes all times, in milliseconds since the epoch. Secrets are
 * passed hashed (SHA-256, base64url) or encrypted. If a promise rejects, the request is not granted, and callers must
 * not retry. Methods reject with HostErrors: `store_unavailable` (503) if the store cannot work or is closed,
 * `store_conflict` (500) if a new ID already exists, `store_error` (500) for a value that cannot be stored.
 */
export interface Store {
  /** True if other processes read and write the same records. Then records that these may change must not be cached. */
  readonly isShared: boolean;
  readonly realms: RealmStore;
  readonly users: UserStore;
  readonly keys: KeyStore;
  readonly sessions: SessionStore;
  readonly families: FamilyStore;
  readonly tickets: OneTimeTokenStore;
  readonly marks: SingleUseStore;
  readonly counters: CounterStore;
  readonly events: EventStore;
  readonly eventOutbox: EventOutbox;
  readonly entries: EntryStore;
  readonly actionTokens: ActionTokenStore;
  readonly changes: ChangeStore;
  readonly statistics: StatisticsStore;
  /**
   * Runs several writes in one transaction: all of them, or none if a guard fails. The writes do not depend on each
   * other's results.
   */
  commit(steps: readonly CommitStep[]): Promise<CommitResult>;
  /**
   * Runs `work`. The first write in it that changes something also writes the events, in the same transaction. It is
   * the first and not the last, so that no change is without its events if the operation ends early. A write that is
   * refused (`conflict`, an unmet guard) changes nothing, and leaves the events to the next write. If nothing changes,
   * the events are not written. If an event cannot be written, the write that carries it fails. Inside another
   * recording, the first change carries the events of both.
   * @param events called at each write until one has carried the events; their IDs must not change
   * @param work receives a function that returns true once the events are written; until then, `work` has changed
   * nothing
   * @param options.of `users` if only changes of users carry the events; other writes may happen before or in between
   */
  withEvents<T>(
    events: () => readonly EventRecord[],
    work: (isWritten: () => boolean) => Promise<T>,
    options?: { readonly of?: 'users' },
  ): Promise<T>;
  /** Runs work outside the current recording, so that its writes do not carry the recording's events. */
  withoutEvents<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work whose writes only succeed while it holds the fence. Each write checks the fence in its transaction.
   * @throws HostError `schedule_lost` (409) from the first write after another node has taken the fence
   */
  fenced<T>(fence: Fence, work: () => Promise<T>): Promise<T>;
  /** Runs work outside the current fence. */
  unfenced<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Removes up to `limit` expired rows: by default 200, at most 1000, so that other writes do not wait long. A session
   * is removed with everything that belongs to it.
   * @param options.from the `rest` of the previous call; undefined to start from the beginning
   * @returns where to continue; without `rest`, all rows were checked
   */
  sweep(options: {
    now: number;
    limit?: number;
    from?: SweepPosition;
  }): Promise<{ removed: number; rest?: SweepPosition }>;
  /**
   * Builds a part of the index for user searches, if a store from an older version lacks it. Other requests are not
   * delayed, and an interrupted build continues later.
   * @returns true if the index is complete
   */
  indexUsers(signal?: AbortSignal): Promise<boolean>;
  /** Ends the worker and closes the files. Everything that was acknowledged is already on disk. */
  close(): Promise<void>;
}

/** The position of a sweep. */
export interface SweepPosition {
  /** The index of the table, in the order in which tables are swept. */
  readonly table: number;
  /** Rows of the table that have expired before this time were checked. */
  readonly expiresAt: number;
}

export type CommitStep =
  | { op: 'tickets.issue'; args: Parameters<OneTimeTokenStore['issue']>[0]; require: 'issued' }
  | { op: 'tickets.redeem'; args: Parameters<OneTimeTokenStore['redeem']>[0]; require: 'first' }
  | { op: 'marks.claim'; args: Parameters<SingleUseStore['claim']>[0]; require: true }
  | { op: 'sessions.start'; args: Parameters<SessionStore['start']> }
  | { op: 'sessions.attach'; args: Parameters<SessionStore['attach']>; require: true }
  /**
   * Adds the client session to the user session. The user session is started unless one exists at its `startedAt`. An
   * existing one continues, and an existing client session keeps its start time. The outcome is a `JoinedSession`.
   */
  | { op: 'sessions.join'; args: readonly [UserSessionRecord, ClientSessionRecord, FamilyRecord?] }
  | { op: 'events.append'; args: Parameters<EventStore['append']>[0] }
  | { op: 'entries.claim'; args: Parameters<EntryStore['claim']>[0]; require: true }
  | { op: 'entries.put'; args: Parameters<EntryStore['put']>[0] }
  | { op: 'actionTokens.remove'; args: ActionTokenKey; require: true };

/** The outcomes in order; or the first step whose guard failed, with its outcome: then nothing was written. */
export type CommitResult =
  | { committed: true; outcomes: readonly unknown[] }
  | { committed: false; failed: number; outcome: unknown };
