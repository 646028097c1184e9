import type { Engine } from '../engine/engine.js';
import { type Fence, FencedWriter } from '../fence.js';
import type { CommitResult, CommitStep, EventRecord, Store, SweepPosition } from '../store.js';
import { TransactionalEvents } from '../transactional-events.js';
import { ActionTokenRecords } from './action-tokens.js';
import { ChangeRecords } from './changes.js';
import { CounterRecords } from './counters.js';
import { EntryRecords } from './entries.js';
import { EventOutboxRecords } from './event-outbox.js';
import { EventRecords } from './events.js';
import { FamilyRecords } from './families.js';
import { KeyRecords } from './keys.js';
import { MarkRecords } from './marks.js';
import { RealmRecords } from './realms.js';
import { SessionRecords } from './sessions/sessions.js';
import { Touches } from './sessions/touches.js';
import { StatisticsRecords } from './statistics.js';
import { DEFAULT_SWEPT_ROWS } from './sweep.js';
import { TicketRecords } from './tickets.js';
import { SignIns } from './users/sign-ins.js';
import { UserRecords } from './users/users.js';

/** A store whose records are in a database. An engine gives access to it. */
export class RecordStore implements Store {
  readonly realms: RealmRecords;
  readonly users: UserRecords;
  readonly keys: KeyRecords;
  readonly sessions: SessionRecords;
  readonly families: FamilyRecords;
  readonly tickets: TicketRecords;
  readonly marks: MarkRecords;
  readonly counters: CounterRecords;
  readonly events: EventRecords;
  readonly eventOutbox: EventOutboxRecords;
  readonly entries: EntryRecords;
  readonly actionTokens: ActionTokenRecords;
  readonly changes: ChangeRecords;
  readonly statistics: StatisticsRecords;
  readonly isShared: boolean;
  readonly #engine: Engine;
  readonly #writer: FencedWriter;
  readonly #touches: Touches;
  readonly #signIns: SignIns;
  #closing: Promise<void> | undefined;

  constructor(engine: Engine) {
    const { reader } = engine;
    const writer = new FencedWriter(engine.writer);
    this.#writer = writer;
    this.#engine = engine;
    this.isShared = reader.isShared;
    this.#touches = new Touches((touches) => engine.writer.call('sessions.touch', touches));
    this.#signIns = new SignIns((signIns) => engine.writer.call('users.signedIn', signIns));
    this.realms = new RealmRecords(reader, writer, engine.writer);
    this.users = new UserRecords(reader, writer, this.#signIns);
    this.keys = new KeyRecords(reader, writer);
    this.sessions = new SessionRecords(reader, writer, this.#touches);
    this.families = new FamilyRecords(writer);
    this.tickets = new TicketRecords(reader, writer);
    this.marks = new MarkRecords(reader, writer);
    this.counters = new CounterRecords(reader, writer);
    this.events = new EventRecords(reader, writer);
    this.eventOutbox = new EventOutboxRecords(reader, writer);
    this.entries = new EntryRecords(reader, writer);
    this.actionTokens = new ActionTokenRecords(reader, writer);
    this.changes = new ChangeRecords(reader, writer);
    this.statistics = new StatisticsRecords(reader, writer);
  }

  commit(steps: readonly CommitStep[]): Promise<CommitResult> {
    for (const step of steps) if (step.op === 'marks.claim') this.marks.expect(step.args);
    return this.#writer.call('commit', steps);
  }

  async withEvents<T>(
    events: () => readonly EventRecord[],
    work: (isWritten: () => boolean) => Promise<T>,
    options: { readonly of?: 'users' } = {},
  ): Promise<T> {
    const recording = new TransactionalEvents(events, options.of, this.#engine.writer.transactionalEvents.current);
    return this.#engine.writer.transactionalEvents.run(recording, () => work(() => recording.isWritten));
  }

  withoutEvents<T>(work: () => Promise<T>): Promise<T> {
    return this.#engine.writer.transactionalEvents.runOutside(work);
  }

  fenced<T>(fence: Fence, work: () => Promise<T>): Promise<T> {
    return this.#writer.run(fence, work);
  }

  unfenced<T>(work: () => Promise<T>): Promise<T> {
    return this.#writer.runUnfenced(work);
  }

  async sweep({
    now,
    limit = DEFAULT_SWEPT_ROWS,
    from = { table: 0, expiresAt: 0 },
  }: Parameters<Store['sweep']>[0]): Promise<{ removed: number; rest?: SweepPosition }> {
    // Write pending uses first, so that a session that is in use is not swept.
    await this.#touches.flush();
    const { removed, rest } = await this.#engine.writer.call('sweep', now, limit, from);
    return { removed, ...(rest && { rest }) };
  }

  indexUsers(signal?: AbortSignal): Promise<boolean> {
    return this.#engine.indexUsers(signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await Promise.all([this.#touches.flush(), this.#signIns.flush(), this.realms.close()]);
    } finally {
      await this.#engine.close();
    }
  }
}
