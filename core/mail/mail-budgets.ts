import { createHash } from 'node:crypto';
import { HostError } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import { networkOfAddress } from '../model/network-of.js';
import type { Realm } from '../model/realm.js';
import type { Store } from '../store/store.js';

const HOUR_MS = 3_600_000;
/** Maximum number of mails per hour to one username, for unproven requests from one network. */
const MAX_PER_NAME = 10;
/** Maximum number of mails per hour from one sender to one user, for unproven requests from all networks. */
const MAX_PER_USER = 60;
/** Maximum number of a user's sessions that are searched for the network of a request. */
const MAX_SESSIONS = 100;

/** The originator of a request for a mail to a user. */
export type MailRequestSource =
  /** An admin, by the Admin API. Mails of admins are not limited. */
  | 'admin'
  /** The user, after proving their identity. These mails have a budget of their own. */
  | 'user'
  /** A request without proof of identity: the username as typed, and the IP address of the request. */
  | { readonly typedName: string; readonly ip: string };

/** The sender of a mail: the host or a plugin. */
export interface MailSource {
  readonly realm: Realm;
  /** The name of the plugin; an empty string for the host. */
  readonly sender: string;
  /** Maximum number of mails per hour to a user who has proven their identity. */
  readonly maxPerHour: number;
}

/**
 * Limits the number of mails that a user gets. Unproven requests have their own budgets, one per network, so they
 * cannot use up the mails of the user, of other networks or of admins. Only mails that were sent count.
 */
export class MailBudgets {
  readonly #parts: { store: Pick<Store, 'counters' | 'sessions' | 'withoutEvents'>; clock: Clock };
  /** Realms whose most recent mail failed. */
  readonly #failingRealms = new Set<string>();

  constructor(parts: { store: Pick<Store, 'counters' | 'sessions' | 'withoutEvents'>; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Counts a mail to a user before it is sent.
   * @returns the counters, for `uncount`
   * @throws HostError `mail_too_many` (429)
   */
  async count(source: MailSource, userId: string, requester: MailRequestSource): Promise<readonly string[]> {
    if (requester === 'admin') return [];
    if (requester === 'user')
      return [await this.#count(source.realm, `${prefixOf(source)} ${userId}`, source.maxPerHour)];
    const nameCounter = await this.countName(source, requester);
    try {
      return [nameCounter, ...(await this.countUnproven(source, userId, requester.ip))];
    } catch (error) {
      await this.uncount(source.realm, [nameCounter]);
      throw error;
    }
  }

  /**
   * Counts a mail of an unproven request by the typed username alone, so that known and unknown usernames get the same
   * response.
   * @throws HostError `mail_too_many` (429)
   */
  countName(
    source: MailSource,
    { typedName, ip }: { readonly typedName: string; readonly ip: string },
  ): Promise<string> {
    const nameHash = createHash('sha256').update(typedName.trim().toLowerCase()).digest('base64url');
    return this.#count(source.realm, `${prefixOf(source)} for ${nameHash} of ${networkOfAddress(ip)}`, MAX_PER_NAME);
  }

  /**
   * Counts a mail of an unproven request for an existing user, by network and for all networks. Networks in which the
   * user is signed in are exempt from the latter limit.
   * @throws HostError `mail_too_many` (429)
   */
  async countUnproven(source: MailSource, userId: string, ip: string): Promise<readonly string[]> {
    const { realm } = source;
    // The same user can be requested by username and by email.
    const networkCounter = await this.#count(
      realm,
      `${prefixOf(source)} for ${userId} of ${networkOfAddress(ip)}`,
      MAX_PER_NAME,
    );
    try {
      return [networkCounter, await this.#count(realm, `${prefixOf(source)} for all ${userId}`, MAX_PER_USER)];
    } catch (error) {
      if (await this.#isSignedInAt(realm, userId, ip)) return [networkCounter];
      await this.uncount(realm, [networkCounter]);
      throw error;
    }
  }

  /** Uncounts mails that were not sent. */
  async uncount({ name: realm }: Realm, counters: readonly string[]): Promise<void> {
    for (const subject of counters)
      await this.#parts.store.withoutEvents(() => this.#parts.store.counters.release({ realm, subject }));
  }

  /** Records whether the realm's mails can be sent at present. */
  recordResult({ name }: Realm, isSent: boolean): void {
    if (isSent) this.#failingRealms.delete(name);
    else this.#failingRealms.add(name);
  }

  /**
   * Uncounts an unknown username while the realm's mails fail. Known usernames are uncounted then too, and a difference
   * would reveal which usernames exist.
   */
  async uncountUnknownName(realm: Realm, nameCounter: string): Promise<void> {
    if (this.#failingRealms.has(realm.name)) await this.uncount(realm, [nameCounter]);
  }

  async #count({ name: realm }: Realm, subject: string, limit: number): Promise<string> {
    const counter = { realm, subject, now: this.#parts.clock.now(), windowMs: HOUR_MS };
    const { count } = await this.#parts.store.withoutEvents(() => this.#parts.store.counters.bump(counter));
    if (count <= limit) return subject;
    await this.#parts.store.withoutEvents(() => this.#parts.store.counters.release({ realm, subject }));
    throw new HostError('mail_too_many', `${limit} mails were sent within an hour`, { status: 429 });
  }

  async #isSignedInAt({ name: realm }: Realm, userId: string, ip: string): Promise<boolean> {
    const network = networkOfAddress(ip);
    const sessions = await this.#parts.store.sessions.list(realm, {
      userId,
      max: MAX_SESSIONS,
      aliveAt: this.#parts.clock.now(),
    });
    return sessions.some(({ ipAddress }) => ipAddress !== undefined && networkOfAddress(ipAddress) === network);
  }
}

function prefixOf({ sender }: MailSource): string {
  return sender === '' ? 'mails' : `mails of ${sender}`;
}
