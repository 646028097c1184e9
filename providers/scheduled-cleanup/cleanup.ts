import type { IdleUser, Json, ScheduledOutcome, Session } from '@keyhost/spi';
import type { Settings } from './settings.js';
import { warningMail } from './texts.js';

const DAY = 86_400_000;
/** How often the log says how far a run is, in milliseconds. */
const TOLD_EVERY = 60_000;
/** Users of one part, and those of them that are looked at together. */
const PAGE = 200;
const TOGETHER = 20;

/** What operators count. */
const OUTCOMES = ['warned', 'disabled', 'deleted', 'unwarned', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number] | 'left';
type Counts = { readonly [Name in (typeof OUTCOMES)[number]]?: number };

/** How far a run has come. `deletes`: it looks at users who were disabled before. */
interface Progress {
  readonly after?: string;
  readonly deletes?: boolean;
  readonly counts?: Counts;
  /** When the log was told last: milliseconds since the epoch. */
  readonly toldAt?: number;
  /** Why the part before could send no more mails: the log was told. */
  readonly noMail?: string | null;
}

/** `idleSince` is that of the user who was warned: after a sign-in it is another one, and the warning counts no more. */
interface Warning {
  readonly at: number;
  readonly idleSince: number;
}

/** One part of a run. */
export class Cleanup {
  readonly #session: Session;
  readonly #settings: Settings;
  /** By which users are judged: of a run that comes late, the time before. Nobody could sign in while the host was off. */
  readonly #due: number;
  readonly #idleBefore: number;
  /** Why no more mails can be sent. */
  #noMail: string | undefined;

  constructor(session: Session, settings: Settings, scheduledFor: number) {
    this.#session = session;
    this.#settings = settings;
    this.#due = scheduledFor;
    this.#idleBefore = scheduledFor - settings.warnAfter * DAY;
  }

  async part(from: Json | undefined): Promise<ScheduledOutcome> {
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
    const more = next !== undefined ? { deletes, after: next } : this.#more(deletes);
    if (more !== undefined) {
      // The end is told by the host.
      const isTold = clock.now() - toldAt >= TOLD_EVERY;
      if (isTold) logger.info('cleanup goes on', { ...counts, dryRun: this.#settings.dryRun });
      return { more: { ...more, counts, toldAt: isTold ? clock.now() : toldAt, noMail: this.#noMail ?? null } };
    }
    const told = OUTCOMES.map((outcome) => `${outcome} ${counts[outcome]}`).join(', ');
    return { summary: this.#settings.dryRun ? `dry run: ${told}` : told };
  }

  /** Where a run goes on that has looked at all who were away. */
  #more(deletes: boolean) {
    return !deletes && this.#settings.deleteAfter !== undefined ? { deletes: true } : undefined;
  }

  async #idlePage(page: { readonly after?: string; readonly max: number }) {
    const { users, next } = await this.#session.users.idle(this.#idleBefore, page);
    return { outcomes: await this.#each(users, (user) => this.#look(user)), next };
  }

  /** Users who were disabled, in the order in which they were. */
  async #deletePage(page: { readonly after?: string; readonly max: number }) {
    const { deleteAfter = Number.POSITIVE_INFINITY } = this.#settings;
    const disabled = await this.#session.store.list('disabled/', page);
    const due = disabled.filter(({ key }) => Number(key.split('/')[1]) + deleteAfter * DAY <= this.#due);
    const outcomes = await this.#each(due, ({ key }) => this.#delete(key));
    return { outcomes, next: due.length < PAGE ? undefined : due.at(-1)?.key };
  }

  /** A user whom the host refuses to change is told in the log, and does not keep the others from their turn. */
  async #each<T>(all: readonly T[], act: (one: T) => Promise<Outcome>): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    const one = (each: T) =>
      act(each).catch((error: unknown): Outcome => {
        if (codeOf(error) !== 'admin_refused') throw error;
        this.#session.logger.warn('a user cannot be changed', { reason: String(error) });
        return 'failed';
      });
    for (let first = 0; first < all.length; first += TOGETHER) {
      outcomes.push(...(await Promise.all(all.slice(first, first + TOGETHER).map(one))));
    }
    return outcomes;
  }

  async #look(user: IdleUser): Promise<Outcome> {
    const { users, sessions, store } = this.#session;
    const warning = (await store.get(`warned/${user.id}`)) as Warning | undefined;
    const isWarned = warning?.idleSince === user.idleSince;
    if (isWarned && this.#due < warning.at + this.#settings.disableAfter * DAY) return 'left';
    if (await users.isAdmin(user.id)) return 'left';
    // An application that goes on in an old session uses the account, too.
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
    // After the mail: a host that ends in between sends it twice, and never disables without it.
    await store.put(`warned/${id}`, { at: now, idleSince }, { expiresIn: (2 * disableAfter + 30) * 86_400 });
    return 'warned';
  }

  async #disable({ id }: IdleUser): Promise<Outcome> {
    const { users, store, clock } = this.#session;
    if (this.#settings.dryRun) return 'disabled';
    const at = String(clock.now()).padStart(15, '0');
    // Before the user: a host that ends in between leaves nobody disabled of whom it does not know.
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

/** Whoever changes a user whom a run has disabled decides what becomes of the user: no run deletes this user any more. */
export async function leaveToAdmin({ store }: Session, userId: string): Promise<void> {
  await store.delete(pendingKey(userId));
}

/** Where it says when a run disabled the user, whom it may delete later. */
const pendingKey = (userId: string) => `pending/${userId}`;

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}
