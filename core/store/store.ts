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
 * The records that survive a restart. Every method is one atomic operation. A resolved promise means durable on disk,
 * unless the method is "relaxed". Times are milliseconds since the epoch, given by the caller. Secrets arrive hashed
 * (SHA-256, base64url) or encrypted. A rejected promise means "not granted": callers never retry on their own.
 * Rejections are HostErrors: `store_unavailable` (503) if the store cannot work or is closed, `store_conflict` (500) if
 * a new ID exists already, `store_error` (500) for a value that cannot be stored.
 */
export interface Store {
  /** True if other processes read and write the same records. Then no record that others may change is cached. */
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
   * Runs several writes in one transaction: all of them, or none if a guard fails. No write depends on the result of
   * another.
   */
  commit(steps: readonly CommitStep[]): Promise<CommitResult>;
  /**
   * Runs `work`; the first write in it that changes something also writes the events, in one transaction. The first and
   * not the last: if the operation ends early, none of its changes lacks its events. A write that is refused
   * (`conflict`, a guard that is not met) changes nothing and leaves them to the next one. If nothing changes, they are
   * not written at all. An event that cannot be written fails the write that carries it. Within the work of another
   * recording, the first change carries the events of both.
   * @param events called at each write until one has carried them; their IDs must not change
   * @param work gets a function that tells whether the events were written; until then `work` has changed nothing
   * @param options.of only changes of users carry the events; other writes happen before or in addition
   */
  withEvents<T>(
    events: () => readonly EventRecord[],
    work: (isWritten: () => boolean) => Promise<T>,
    options?: { readonly of?: 'users' },
  ): Promise<T>;
  /** Runs work outside the current recording: its writes carry none of the recording's events. */
  withoutEvents<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work whose writes succeed only while it holds the fence; each write checks it in its transaction.
   * @throws HostError `schedule_lost` (409) from the first write after another node has taken the fence
   */
  fenced<T>(fence: Fence, work: () => Promise<T>): Promise<T>;
  /** Runs work that no fence holds, wherever it was begun. */
  unfenced<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Removes up to `limit` expired rows: 200 by default and 1000 at most, so that no write waits long. A session is
   * removed with everything that it owns.
   * @param options.from the `rest` of the previous call; without it from the beginning
   * @returns where to continue; without `rest` all rows were checked
   */
  sweep(options: { now: number; limit?: number; from?: SweepPlace }): Promise<{ removed: number; rest?: SweepPlace }>;
  /**
   * Builds a part of the index of user searches, if a store from an older version lacks it. It does not delay other
   * requests, and an interrupted one continues where it was.
   * @returns true if nothing is left to do
   */
  indexUsers(signal?: AbortSignal): Promise<boolean>;
  /** Everything acknowledged is on disk already; this ends the worker and closes the files. */
  close(): Promise<void>;
}

/** How far a sweep has come. */
export interface SweepPlace {
  /** Which of the tables, in the order in which they are swept. */
  readonly table: number;
  /** Rows of the table that expired before this time were checked. */
  readonly expiresAt: number;
}

export type CommitStep =
  | { op: 'tickets.issue'; args: Parameters<OneTimeTokenStore['issue']>[0]; require: 'issued' }
  | { op: 'tickets.redeem'; args: Parameters<OneTimeTokenStore['redeem']>[0]; require: 'first' }
  | { op: 'marks.claim'; args: Parameters<SingleUseStore['claim']>[0]; require: true }
  | { op: 'sessions.start'; args: Parameters<SessionStore['start']> }
  | { op: 'sessions.attach'; args: Parameters<SessionStore['attach']>; require: true }
  /**
   * Adds the client session to the user session, which is started unless one exists at its `startedAt`. An existing one
   * continues, and an existing client session keeps its start time. The outcome is a `JoinedSession`.
   */
  | { op: 'sessions.join'; args: readonly [UserSessionRecord, ClientSessionRecord, FamilyRecord?] }
  | { op: 'events.append'; args: Parameters<EventStore['append']>[0] }
  | { op: 'entries.claim'; args: Parameters<EntryStore['claim']>[0]; require: true }
  | { op: 'entries.put'; args: Parameters<EntryStore['put']>[0] }
  | { op: 'actionTokens.remove'; args: ActionTokenKey; require: true };

/** Outcomes in order, or the first step whose guard failed, with what it answered; nothing was written then. */
export type CommitResult =
  | { committed: true; outcomes: readonly unknown[] }
  | { committed: false; failed: number; outcome: unknown };
