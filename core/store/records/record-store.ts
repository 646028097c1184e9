import { Recording } from '../recording.js';
import type { Reader } from '../sqlite/reader.js';
import type { Writer } from '../sqlite/writing/writer.js';
import type { CommitResult, CommitStep, EventRecord, Store } from '../store.js';
import { SqliteActionTokens } from './action-tokens.js';
import { SqliteCounters } from './counters.js';
import { SqliteEntries } from './entries.js';
import { SqliteEvents } from './events.js';
import { SqliteFamilies } from './families.js';
import { SqliteKeys } from './keys.js';
import { SqliteMarks } from './marks.js';
import { SqliteRealms } from './realms.js';
import { SqliteSessions } from './sessions/sessions.js';
import { Touches } from './sessions/touches.js';
import { SWEEP_LIMIT } from './sweep.js';
import { SqliteTickets } from './tickets.js';
import { SqliteUsers } from './users/users.js';

/** A store over a reading and a writing side of one SQLite database. */
export class SqliteStore implements Store {
  readonly realms: SqliteRealms;
  readonly users: SqliteUsers;
  readonly keys: SqliteKeys;
  readonly sessions: SqliteSessions;
  readonly families: SqliteFamilies;
  readonly tickets: SqliteTickets;
  readonly marks: SqliteMarks;
  readonly counters: SqliteCounters;
  readonly events: SqliteEvents;
  readonly entries: SqliteEntries;
  readonly actionTokens: SqliteActionTokens;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #touches: Touches;
  readonly #release: () => void;
  #closing: Promise<void> | undefined;

  /** @param release called once everything is closed */
  constructor(reader: Reader, writer: Writer, release: () => void = () => undefined) {
    this.#reader = reader;
    this.#writer = writer;
    this.#release = release;
    this.#touches = new Touches((touches) => writer.call('sessions.touch', touches));
    this.realms = new SqliteRealms(reader, writer);
    this.users = new SqliteUsers(reader, writer);
    this.keys = new SqliteKeys(reader, writer);
    this.sessions = new SqliteSessions(reader, writer, this.#touches);
    this.families = new SqliteFamilies(writer);
    this.tickets = new SqliteTickets(reader, writer);
    this.marks = new SqliteMarks(reader, writer);
    this.counters = new SqliteCounters(reader, writer);
    this.events = new SqliteEvents(reader, writer);
    this.entries = new SqliteEntries(reader, writer);
    this.actionTokens = new SqliteActionTokens(reader, writer);
  }

  commit(steps: readonly CommitStep[]): Promise<CommitResult> {
    for (const step of steps) if (step.op === 'marks.claim') this.marks.expect(step.args);
    return this.#writer.call('commit', steps);
  }

  async recording<T>(
    events: () => readonly EventRecord[],
    work: (isWritten: () => boolean) => Promise<T>,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    const recording = new Recording(events, options.of, this.#writer.recordings.current);
    return this.#writer.recordings.run(recording, () => work(() => recording.isWritten));
  }

  async sweep({
    now,
    limit = SWEEP_LIMIT,
  }: {
    now: number;
    limit?: number;
  }): Promise<{ removed: number; more: boolean }> {
    // A session in use is not swept because its newest use is still unwritten.
    await this.#touches.flush();
    return this.#writer.call('sweep', now, limit);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#touches.flush();
    } finally {
      await this.#writer.drain();
      this.#reader.close();
      await this.#writer.close().finally(this.#release);
    }
  }
}
