import { createHash } from 'node:crypto';
import { HostError } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import { networkOfAddress } from '../model/network-of.js';
import type { Realm } from '../model/realm.js';
import type { Store } from '../store/store.js';

const HOUR_MS = 3_600_000;
/** Maximum number of mails per hour that unproven requests get for one username from one network. */
const FOR_A_NAME = 10;
/** Maximum number of mails per hour from one sender to one user that unproven requests get from all networks. */
const FOR_ALL_NAMES = 60;
/** Maximum number of a user's sessions that are searched for the network of a request. */
const MOST_SESSIONS = 100;

/** The source of a request for a mail to a user. */
export type MailRequestSource =
  /** An admin, by the Admin API. Never limited. */
  | 'admin'
  /** The user, after proving their identity. Unproven requests do not use up this budget. */
  | 'user'
  /** A request without proof: the typed username, and the IP address of the request. */
  | { readonly typedName: string; readonly ip: string };

/** The sender of a mail: the host or a plugin. */
export interface MailSource {
  readonly realm: Realm;
  /** The name of the plugin; an empty string for the host. */
  readonly sender: string;
  /** Maximum number of mails per hour to a user who has proven their identity. */
  readonly most: number;
}

/**
 * Limits the number of mails that a user gets. Unproven requests have their own budgets, one per network, so they
 * cannot use up the mails of the user, of other networks or of admins. Only mails that were sent count.
 */
export class MailBudgets {
  readonly #store: Pick<Store, 'counters' | 'sessions' | 'withoutEvents'>;
  readonly #clock: Clock;
  /** Realms whose most recent mail failed. */
  readonly #failing = new Set<string>();

  constructor(parts: { store: Pick<Store, 'counters' | 'sessions' | 'withoutEvents'>; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /**
   * Counts a mail to a user before it is sent.
   * @returns the counters, for `uncount`
   * @throws HostError `mail_too_many` (429)
   */
  async count(source: MailSource, userId: string, asker: MailRequestSource): Promise<readonly string[]> {
    if (asker === 'admin') return [];
    if (asker === 'user') return [await this.#count(source.realm, `${prefixOf(source)} ${userId}`, source.most)];
    const name = await this.countName(source, asker);
    try {
      return [name, ...(await this.countUnproven(source, userId, asker.ip))];
    } catch (error) {
      await this.uncount(source.realm, [name]);
      throw error;
    }
  }

  /**
   * Counts a mail of an unproven request by the typed username only, so that it works the same for unknown ones.
   * @throws HostError `mail_too_many` (429)
   */
  countName(
    source: MailSource,
    { typedName, ip }: { readonly typedName: string; readonly ip: string },
  ): Promise<string> {
    const name = createHash('sha256').update(typedName.trim().toLowerCase()).digest('base64url');
    return this.#count(source.realm, `${prefixOf(source)} for ${name} of ${networkOfAddress(ip)}`, FOR_A_NAME);
  }

  /**
   * Counts a mail against all unproven requests for a user. Networks in which the user is signed in are exempt.
   * @throws HostError `mail_too_many` (429)
   */
  async countUnproven(source: MailSource, userId: string, ip: string): Promise<readonly string[]> {
    const { realm } = source;
    // A user may be named by username and by email.
    const here = await this.#count(realm, `${prefixOf(source)} for ${userId} of ${networkOfAddress(ip)}`, FOR_A_NAME);
    try {
      return [here, await this.#count(realm, `${prefixOf(source)} for all ${userId}`, FOR_ALL_NAMES)];
    } catch (error) {
      if (await this.#isSignedInAt(realm, userId, ip)) return [here];
      await this.uncount(realm, [here]);
      throw error;
    }
  }

  /** Uncounts mails that were not sent. */
  async uncount({ name: realm }: Realm, counted: readonly string[]): Promise<void> {
    for (const subject of counted)
      await this.#store.withoutEvents(() => this.#store.counters.release({ realm, subject }));
  }

  /** Records whether the realm's mails can be sent at present. */
  recordResult({ name }: Realm, isSent: boolean): void {
    if (isSent) this.#failing.delete(name);
    else this.#failing.add(name);
  }

  /**
   * Uncounts an unknown username while the realm's mails fail. The counts of known names are undone then too, and a
   * difference would reveal which names exist.
   */
  async uncountUnknownName(realm: Realm, counted: string): Promise<void> {
    if (this.#failing.has(realm.name)) await this.uncount(realm, [counted]);
  }

  async #count({ name: realm }: Realm, subject: string, most: number): Promise<string> {
    const counter = { realm, subject, now: this.#clock.now(), windowMs: HOUR_MS };
    const { count } = await this.#store.withoutEvents(() => this.#store.counters.bump(counter));
    if (count <= most) return subject;
    await this.#store.withoutEvents(() => this.#store.counters.release({ realm, subject }));
    throw new HostError('mail_too_many', `${most} mails were sent within an hour`, { status: 429 });
  }

  async #isSignedInAt({ name: realm }: Realm, userId: string, ip: string): Promise<boolean> {
    const network = networkOfAddress(ip);
    const sessions = await this.#store.sessions.list(realm, { userId, max: MOST_SESSIONS, aliveAt: this.#clock.now() });
    return sessions.some(({ ipAddress }) => ipAddress !== undefined && networkOfAddress(ipAddress) === network);
  }
}

function prefixOf({ sender }: MailSource): string {
  return sender === '' ? 'mails' : `mails of ${sender}`;
}
