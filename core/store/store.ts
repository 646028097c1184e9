import type { Fence } from './fence.js';
import type { ActionTokenKey, ActionTokenStore } from './interface/action-tokens.js';
import type { ChangeStore } from './interface/changes.js';
import type { CounterStore } from './interface/counters.js';
import type { EntryStore } from './interface/entries.js';
import type { EventOutbox } from './interface/event-outbox.js';
import type { EventRecord, EventStore } from './interface/events.js';
import type { FamilyRecord, FamilyStore } from './interface/families.js';
import type { KeyStore } from './interface/keys.js';
import type { MarkStore } from './interface/marks.js';
import type { RealmStore } from './interface/realms.js';
import type { ClientSessionRecord, SessionStore, UserSessionRecord } from './interface/sessions.js';
import type { StatisticsStore } from './interface/statistics.js';
import type { TicketStore } from './interface/tickets.js';
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
 * Where Keyhost keeps what must survive. Every method is one atomic operation; a resolved promise means durable on
 * disk, except where it says "relaxed". Times are milliseconds since the epoch, given by the caller. Secrets arrive
 * hashed (SHA-256, base64url) or encrypted. A rejected promise means "not granted": callers never retry on their own.
 * Rejections are HostErrors: `store_unavailable` (503) when the store cannot work or is closed, `store_conflict` (500)
 * when an id that should be new exists, `store_error` (500) for a value that cannot be stored.
 */
export interface Store {
  /** True when other processes read and write the same records: nothing that others may change is held in memory. */
  readonly isShared: boolean;
  readonly realms: RealmStore;
  readonly users: UserStore;
  readonly keys: KeyStore;
  readonly sessions: SessionStore;
  readonly families: FamilyStore;
  readonly tickets: TicketStore;
  readonly marks: MarkStore;
  readonly counters: CounterStore;
  readonly events: EventStore;
  readonly eventOutbox: EventOutbox;
  readonly entries: EntryStore;
  readonly actionTokens: ActionTokenStore;
  readonly changes: ChangeStore;
  readonly statistics: StatisticsStore;
  /** Several writes in one transaction: all of them, or none when a guard fails. None decides by what another one writes. */
  commit(steps: readonly CommitStep[]): Promise<CommitResult>;
  /**
   * Runs `work`; the first write in it that changes something writes the events too, in one transaction. The first and not
   * the last: however an operation of several writes ends, no change of it is without its events. A write that is refused
   * (`conflict`, a guard that is not met) changes nothing and leaves them to the next one; where nothing changes they are
   * not written at all. An event that cannot be written fails the write that carries it. Within the work of another
   * recording, the first change carries what both have.
   * @param events asked for at each write until one has carried them; their ids must not change
   * @param work gets a question: have they been written? It has changed nothing yet as long as they have not.
   * @param options.of only what changes users counts: what else is written goes before it, or beside it
   */
  recording<T>(
    events: () => readonly EventRecord[],
    work: (isWritten: () => boolean) => Promise<T>,
    options?: { readonly of?: 'users' },
  ): Promise<T>;
  /** Runs work whose changes carry no event of a `recording` that it runs in: what it does is another matter. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Runs work whose writes are made only while the fence is its own, each checked in its transaction.
   * @throws HostError `schedule_lost` (409) where another one has taken the fence, from the first write on
   */
  fenced<T>(fence: Fence, work: () => Promise<T>): Promise<T>;
  /** Runs work that no fence holds, wherever it was begun. */
  unfenced<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Removes some `limit` expired rows: 200 without it and 1000 at most, so that no write waits long. A session goes with all
   * that it owns.
   * @param options.from what the call before answered; without it from the beginning
   * @returns where to go on; without `rest` all has been looked at
   */
  sweep(options: { now: number; limit?: number; from?: SweepPlace }): Promise<{ removed: number; rest?: SweepPlace }>;
  /**
   * A piece of the work that makes user searches fast, where a store from before lacks what they go by. Nobody waits for it, and
   * an interrupted one goes on where it was.
   * @returns whether nothing is left to do
   */
  indexUsers(signal?: AbortSignal): Promise<boolean>;
  /** Everything acknowledged is on disk already; this ends the worker and closes the files. */
  close(): Promise<void>;
}

/** How far a sweep has come. */
export interface SweepPlace {
  /** Which of the tables, in the order in which they are swept. */
  readonly table: number;
  /** What expired in it before has been looked at. */
  readonly expiresAt: number;
}

export type CommitStep =
  | { op: 'tickets.issue'; args: Parameters<TicketStore['issue']>[0]; require: 'issued' }
  | { op: 'tickets.redeem'; args: Parameters<TicketStore['redeem']>[0]; require: 'first' }
  | { op: 'marks.claim'; args: Parameters<MarkStore['claim']>[0]; require: true }
  | { op: 'sessions.start'; args: Parameters<SessionStore['start']> }
  | { op: 'sessions.attach'; args: Parameters<SessionStore['attach']>; require: true }
  /**
   * Puts the client session into the user session, which is started when there is none that lasts at its `startedAt`. One that
   * lasts goes on, and a client session in it keeps when it began. The outcome is a `JoinedSession`.
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
