import type { IdleUser, Json, ScheduledOutcome, Session } from '@keyhost/spi';
import type { Settings } from './settings.js';
import { warningMail } from './texts.js';

const DAY = 86_400_000;
/** The interval of progress messages, in milliseconds. */
const PROGRESS_INTERVAL_MS = 60_000;
/** The number of users in one part of a run, and the number of users that are processed concurrently. */
const PAGE = 200;
const CONCURRENT_USERS = 20;

/** The outcomes that a run counts for operators. */
const OUTCOMES = ['warned', 'disabled', 'deleted', 'unwarned', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number] | 'left';
type Counts = { readonly [Name in (typeof OUTCOMES)[number]]?: number };

/** The progress of a run. `deletes` is true in the second phase, which processes users who were disabled before. */
interface Progress {
  readonly after?: string;
  readonly deletes?: boolean;
  readonly counts?: Counts;
  /** The time of the last progress message, in milliseconds since the epoch. */
  readonly toldAt?: number;
  /** The reason why the previous part could send no more mails, which was logged. */
  readonly noMail?: string | null;
}

/**
 * A warning of a user. `idleSince` is the value of the user at that time. After a sign-in it differs, and the warning
 * is void.
 */
interface Warning {
  readonly at: number;
  readonly idleSince: number;
}

/** One part of a run. */
export class Cleanup {
  readonly #session: Session;
  readonly #settings: Settings;
  /**
   * The time at which the run was due. A late run uses it instead of the current time, because users could not sign in
   * while the host was down.
   */
  readonly #dueAt: number;
  readonly #idleBefore: number;
  /** The reason why no more mails can be sent. */
  #noMail: string | undefined;

  constructor(session: Session, settings: Settings, scheduledFor: number) {
    this.#session = session;
    this.#settings = settings;
    this.#dueAt = scheduledFor;
    this.#idleBefore = scheduledFor - settings.warnAfter * DAY;
  }

  async runPart(from: Json | undefined): Promise<ScheduledOutcome> {
    const { logger, metrics, clock } = this.#session;
    const progress = (from ?? {}) as Progress;
    const { after, deletes = false, counts: before = {}, toldAt = clock.now() } = progress;
    const page = { max: PAGE, ...(after !== undefined && { after }) };
    const { outcomes, next } = deletes ? await this.#deletePage(page) : await this.#idlePage(page);
    const counts: Record<string, number> = { ...before };
    for (const outcome of OUTCOMES) {
      const count = outcomes.filter((one) => one === outcome).length;
      counts[outcome] = (counts[outcome] ?? 0) + count;
      if (!this.#settings.dryRun && count > 0) await metrics.add('users_total', count, { outcome });
    }
    if (this.#noMail !== undefined && this.#noMail !== progress.noMail) {
      logger.error('users cannot be warned, and are not disabled', { reason: this.#noMail });
    }
    const nextProgress = next !== undefined ? { deletes, after: next } : this.#nextPhase(deletes);
    if (nextProgress !== undefined) {
      // The host logs the end of the run.
      const isReported = clock.now() - toldAt >= PROGRESS_INTERVAL_MS;
      if (isReported) logger.info('cleanup goes on', { ...counts, dryRun: this.#settings.dryRun });
      return {
        more: { ...nextProgress, counts, toldAt: isReported ? clock.now() : toldAt, noMail: this.#noMail ?? null },
      };
    }
    const summary = OUTCOMES.map((outcome) => `${outcome} ${counts[outcome]}`).join(', ');
    return { summary: this.#settings.dryRun ? `dry run: ${summary}` : summary };
  }

  /** The next phase of a run that has processed all idle users. */
  #nextPhase(deletes: boolean) {
    return !deletes && this.#settings.deleteAfter !== undefined ? { deletes: true } : undefined;
  }

  async #idlePage(page: { readonly after?: string; readonly max: number }) {
    const { users, next } = await this.#session.users.idle(this.#idleBefore, page);
    return { outcomes: await this.#each(users, (user) => this.#processIdle(user)), next };
  }

  /** Processes users who were disabled, oldest first. */
  async #deletePage(page: { readonly after?: string; readonly max: number }) {
    const { deleteAfter = Number.POSITIVE_INFINITY } = this.#settings;
    const disabled = await this.#session.store.list('disabled/', page);
    const due = disabled.filter(({ key }) => Number(key.split('/')[1]) + deleteAfter * DAY <= this.#dueAt);
    const outcomes = await this.#each(due, ({ key }) => this.#delete(key));
    return { outcomes, next: due.length < PAGE ? undefined : due.at(-1)?.key };
  }

  /** Processes users. If the host refuses to change a user, this is logged, and the run continues. */
  async #each<T>(items: readonly T[], process: (one: T) => Promise<Outcome>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const processOrFail = (item: T) =>
      process(item).catch((error: unknown): Outcome => {
        if (codeOf(error) !== 'admin_refused') throw error;
        this.#session.logger.warn('a user cannot be changed', { reason: String(error) });
        return 'failed';
      });
    for (let first = 0; first < items.length; first += CONCURRENT_USERS) {
      outcomes.push(...(await Promise.all(items.slice(first, first + CONCURRENT_USERS).map(processOrFail))));
    }
    return outcomes;
  }

  async #processIdle(user: IdleUser): Promise<Outcome> {
    const { users, sessions, store } = this.#session;
    const warning = (await store.get(`warned/${user.id}`)) as Warning | undefined;
    const isWarned = warning?.idleSince === user.idleSince;
    if (isWarned && this.#dueAt < warning.at + this.#settings.disableAfter * DAY) return 'left';
    if (await users.isAdmin(user.id)) return 'left';
    // The account is also in use if an application is active in an old session.
    if ((await sessions.ofUser(user.id)).some(({ lastAccess }) => lastAccess >= this.#idleBefore)) return 'left';
    return isWarned ? this.#disable(user) : this.#warn(user);
  }

  async #warn({ id, email, idleSince }: IdleUser): Promise<Outcome> {
    const { realm, mail, store, clock } = this.#session;
    const { disableAfter, dryRun } = this.#settings;
    if (dryRun) return email === undefined ? 'unwarned' : 'warned';
    if (this.#noMail !== undefined) return 'unwarned';
    const now = clock.now();
    const idle = String(Math.floor((now - idleSince) / DAY));
    const day = new Date(now + disableAfter * DAY).toISOString().slice(0, 10);
    try {
      await mail.send(warningMail(id, [realm.displayName ?? realm.name, idle, day]));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'mail_server_missing' || code === 'mail_queue_full') this.#noMail = code;
      else if (code !== 'mail_no_address' && code !== 'mail_too_many') throw error;
      return 'unwarned';
    }
    // Store this after the mail was sent. A crash in between sends it twice, but never disables the user without a
    // mail.
    await store.put(`warned/${id}`, { at: now, idleSince }, { expiresIn: (2 * disableAfter + 30) * 86_400 });
    return 'warned';
  }

  async #disable({ id }: IdleUser): Promise<Outcome> {
    const { users, store, clock } = this.#session;
    if (this.#settings.dryRun) return 'disabled';
    const at = String(clock.now()).padStart(15, '0');
    // Store this before the change of the user, so that a crash in between leaves no user disabled without a record.
    await store.put(pendingKey(id), at);
    await store.put(`disabled/${at}/${id}`, true);
    await users.update(id, { enabled: false });
    await store.delete(`warned/${id}`);
    return 'disabled';
  }

  async #delete(key: string): Promise<Outcome> {
    const { users, store } = this.#session;
    const { dryRun } = this.#settings;
    const [, at, id = ''] = key.split('/');
    const user = await users.byId(id);
    const isPending = (await store.get(pendingKey(id))) === at;
    const isDue = isPending && user !== undefined && !user.enabled && !(await users.isAdmin(id));
    if (dryRun) return isDue ? 'deleted' : 'left';
    if (isDue) await users.remove(id);
    if (isPending) await store.delete(pendingKey(id));
    await store.delete(key);
    return isDue ? 'deleted' : 'left';
  }
}

/**
 * Removes a user from the pending deletions: an admin who changes a user that a run has disabled decides what happens
 * next.
 */
export async function cancelDeletion({ store }: Session, userId: string): Promise<void> {
  await store.delete(pendingKey(userId));
}

/** The key of the time at which a run disabled the user, whom a later run may delete. */
const pendingKey = (userId: string) => `pending/${userId}`;

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}
