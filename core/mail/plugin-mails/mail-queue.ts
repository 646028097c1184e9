import { HostError, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { FairQueue } from '../../model/fair-queue.js';
import { randomToken } from '../../model/random-token.js';
import type { Realm } from '../../model/realm.js';
import { codeOf, memberOf, messageOf } from '../../model/thrown.js';
import { within } from '../../registry/sessions/time-limit.js';
import type { MailBudgets } from '../mail-budgets.js';
import type { Mail } from '../mailer.js';
import type { Sending } from '../senders/realm-senders.js';
import type { MailLocation, QueuedMailStore, StoredMail } from './queued-mail-store.js';
import { RealmMailQueue } from './realm-mail-queue.js';

/**
 * Maximum number of concurrent mails of all realms. The mailer's limit is higher, which leaves slots for the host's own
 * mails.
 */
const MOST_AT_ONCE = 32;
/** Maximum number of queued mails of a plugin in a realm on this node. */
const MOST_WAITING = 20_000;
/** Polling interval of paused queues, in milliseconds. */
const LOOK_MS = 250;
/** Timeout for mails under way when the host stops, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
/** Interval of the search for mails of dead nodes, in milliseconds. */
const TAKE_OVER_EVERY_MS = 10_000;
/** Node ID of a host that does not share its store, so that the next host continues its mails. */
const ONLY_NODE = '-';

/** The final result of a mail. */
export type MailEnd = 'sent' | 'refused' | 'expired';

export interface MailQueueParts {
  readonly kept: QueuedMailStore;
  /** @throws HostError `email_send_failed` */
  readonly send: (realm: Realm, mail: Mail, sending: Sending) => Promise<void>;
  readonly realms: { get(name: string): Promise<Realm | undefined> };
  /** The nodes of a shared store. */
  readonly nodes: { readonly id: string; isLiving(id: string): boolean } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs work outside of the current transaction's events. */
  readonly apart: <T>(work: () => Promise<T>) => Promise<T>;
  readonly budgets: Pick<MailBudgets, 'uncount' | 'recordResult'>;
  /** Called for mails that were not sent. */
  readonly onUnsent: (realm: Realm, place: MailLocation, kept: StoredMail) => void;
}

/**
 * Queues the mails of plugins: they are in the store until they are sent, and are retried if a server does not accept
 * them. Realms and plugins get fair turns, so that many mails of one do not delay those of others.
 */
export class MailQueue {
  /** Number of mails by plugin and result, with the key `plugin end`. */
  readonly ends = new Map<string, { readonly plugin: string; readonly end: MailEnd; count: number }>();
  readonly #parts: MailQueueParts;
  readonly #queues = new Map<string, RealmMailQueue>();
  readonly #turns = new FairQueue({ concurrency: MOST_AT_ONCE, limit: Number.POSITIVE_INFINITY });
  readonly #underWay = new Set<Promise<void>>();
  #looking: NodeJS.Timeout | undefined;
  #takingOver: NodeJS.Timeout | undefined;
  #opening: Promise<void> | undefined;
  #isOver = false;

  constructor(parts: MailQueueParts) {
    this.#parts = parts;
  }

  /** Number of mails that wait or are under way, by plugin. */
  waiting(): ReadonlyMap<string, number> {
    const waiting = new Map<string, number>();
    for (const [key, line] of this.#queues) {
      const [plugin = ''] = key.split(' ', 1);
      waiting.set(plugin, (waiting.get(plugin) ?? 0) + line.length);
    }
    return waiting;
  }

  /** Resumes mails that an earlier host has left, and takes over those of dead nodes. Further calls have no effect. */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /**
   * Resolves when the mail is stored.
   * @param key a plugin's key: only one mail with it is sent per day
   * @returns its ID; undefined if there is a mail with this key, so this one is not sent
   * @throws HostError `mail_queue_full` (503)
   */
  async add(realm: string, plugin: string, kept: StoredMail, key?: string): Promise<string | undefined> {
    const line = this.#queues.get(queueKey(plugin, realm));
    if ((line?.length ?? 0) >= MOST_WAITING) {
      throw new HostError('mail_queue_full', `${MOST_WAITING} mails of ${plugin} wait in realm ${realm}`, {
        status: 503,
      });
    }
    const place = { node: this.#node, id: randomToken(12), realm, plugin };
    if (!(await this.#parts.kept.put(place, kept, key))) return undefined;
    this.#enqueue(place);
    return place.id;
  }

  /** The ID of the mail with this key within a day. */
  withKey(realm: string, plugin: string, key: string): Promise<string | undefined> {
    return this.#parts.kept.withKey(realm, plugin, key);
  }

  /** Resolves when no mail is under way or due. */
  async settled(): Promise<void> {
    await this.#opening;
    for (this.#look(); this.#underWay.size > 0; this.#look()) await Promise.all(this.#underWay);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#looking);
    clearInterval(this.#takingOver);
    await within(CLOSE_LIMIT_MS, () => Promise.all(this.#underWay)).catch(() => {
      this.#parts.logger.warn('stopped before all mails were sent: the others are sent after the next start');
    });
  }

  get #node(): string {
    return this.#parts.nodes?.id ?? ONLY_NODE;
  }

  async #open(): Promise<void> {
    const { nodes, kept, logger } = this.#parts;
    try {
      if (nodes === undefined) for await (const place of kept.ofNode(ONLY_NODE)) this.#enqueue(place);
      else this.#takingOver = setInterval(() => void this.#takeOver(), TAKE_OVER_EVERY_MS).unref();
    } catch (error) {
      logger.error('mails that wait were not read', { reason: messageOf(error) });
    }
  }

  /** Takes over mails of dead nodes. */
  async #takeOver(): Promise<void> {
    const { nodes, kept, logger } = this.#parts;
    try {
      for (const node of nodes === undefined ? [] : await kept.nodes()) {
        if (node === this.#node || nodes?.isLiving(node)) continue;
        for await (const place of kept.ofNode(node)) {
          if (this.#isOver) return;
          const moved = await kept.move(place, this.#node);
          if (moved !== undefined) this.#enqueue(moved);
        }
      }
    } catch (error) {
      logger.warn('mails of a node that is gone were not taken over', { reason: messageOf(error) });
    }
  }

  #enqueue(place: MailLocation): void {
    const key = queueKey(place.plugin, place.realm);
    const line = this.#queues.get(key) ?? new RealmMailQueue();
    this.#queues.set(key, line);
    line.add(place);
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS).unref();
    this.#advance(key, line);
  }

  #look(): void {
    for (const [key, line] of this.#queues) this.#advance(key, line);
    if (this.#queues.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Starts sending the mails of a queue that are due. */
  #advance(key: string, line: RealmMailQueue): void {
    if (this.#isOver) return;
    for (let mail = line.next(this.#parts.clock.now()); mail !== undefined; mail = line.next(this.#parts.clock.now())) {
      const next = mail;
      const underWay = this.#turns
        .run(key, () => this.#parts.apart(() => this.#deliver(line, next)))
        .finally(() => {
          this.#underWay.delete(underWay);
          this.#advance(key, line);
        });
      this.#underWay.add(underWay);
    }
    if (line.length === 0) this.#queues.delete(key);
  }

  async #deliver(line: RealmMailQueue, mail: NonNullable<ReturnType<RealmMailQueue['next']>>): Promise<void> {
    const { kept: store, send, realms, clock, logger } = this.#parts;
    const { place } = mail;
    const { realm: name, plugin, id } = place;
    try {
      const realm = await realms.get(name);
      const kept = realm && (await store.read(place));
      // Another node has taken it, or its realm was deleted.
      if (realm === undefined || kept === undefined) await store.delete(place);
      else if (clock.now() >= kept.expiresAt) await this.#unsent(realm, place, kept, 'expired', 'it expired');
      else {
        const sending = { kind: kept.kind ?? plugin, id, attempt: mail.attempts + 1 };
        const reason = await send(realm, kept.mail, sending).then(
          () => undefined,
          (error: unknown) => {
            if (failureOf(error) !== 'final') throw error;
            return reasonOf(error);
          },
        );
        if (reason !== undefined) await this.#unsent(realm, place, kept, 'refused', reason);
        else {
          this.#count(plugin, 'sent');
          this.#parts.budgets.recordResult(realm, true);
          // The mail was sent: a failure to delete it must not cause another attempt here.
          await store.delete(place).catch((error: unknown) => {
            logger.warn('mail sent, but not taken off the queue', {
              plugin,
              realm: name,
              mail: id,
              reason: messageOf(error),
            });
          });
          logger.debug('mail sent', { plugin, realm: name, mail: id });
        }
      }
      line.done();
    } catch (error) {
      if (mail.failures === 0) {
        logger.warn('mail not sent yet', { plugin, realm: name, mail: id, reason: reasonOf(error) });
      }
      if (failureOf(error) === 'mail') line.refused(mail, clock.now());
      else line.failed(mail, clock.now());
    }
  }

  async #unsent(realm: Realm, place: MailLocation, kept: StoredMail, end: MailEnd, reason: string): Promise<void> {
    const { kept: store, logger, onUnsent, budgets } = this.#parts;
    await store.delete(place);
    budgets.recordResult(realm, false);
    await budgets.uncount(realm, kept.counted ?? []).catch((error: unknown) => {
      logger.warn('a mail that was not sent still counts', {
        plugin: place.plugin,
        realm: realm.name,
        reason: messageOf(error),
      });
    });
    this.#count(place.plugin, end);
    logger.error('mail not sent', { plugin: place.plugin, realm: realm.name, mail: place.id, reason });
    onUnsent(realm, place, kept);
  }

  #count(plugin: string, end: MailEnd): void {
    const key = `${plugin} ${end}`;
    const counted = this.ends.get(key) ?? { plugin, end, count: 0 };
    counted.count += 1;
    this.ends.set(key, counted);
  }
}

function queueKey(plugin: string, realm: string): string {
  return `${plugin} ${realm}`;
}

/** Whether a failure concerns the mail or its server. */
function failureOf(error: unknown): unknown {
  return codeOf(error) === 'email_send_failed' ? memberOf(memberOf(error, 'cause'), 'of') : 'server';
}

function reasonOf(error: unknown): string {
  return messageOf(memberOf(error, 'cause') ?? error);
}
