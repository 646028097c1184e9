import { HostError, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { FairQueue } from '../../model/fair-queue.js';
import { randomToken } from '../../model/random-token.js';
import type { Realm } from '../../model/realm.js';
import { codeOf, memberOf, messageOf } from '../../model/thrown.js';
import { within } from '../../registry/sessions/time-limit.js';
import type { MailBudgets } from '../mail-budgets.js';
import type { Mail } from '../mailer.js';
import type { SendOptions } from '../senders/realm-senders.js';
import type { MailLocation, QueuedMailStore, StoredMail } from './queued-mail-store.js';
import { RealmMailQueue } from './realm-mail-queue.js';

/**
 * Maximum number of queued mails that are sent at the same time. The mailer's limit is higher, so that the host's own
 * mails never wait for these.
 */
const MAX_CONCURRENT_MAILS = 32;
/** Maximum number of queued mails of a plugin in a realm on this node. */
const MAX_QUEUED_MAILS = 20_000;
/** Interval in which paused queues are checked, in milliseconds. */
const POLL_MS = 250;
/** How long the host waits for mails that are being sent when it stops, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Interval of the search for mails of dead nodes, in milliseconds. */
const TAKE_OVER_INTERVAL_MS = 10_000;
/** The node ID if the store is not shared. It is constant, so that the next host continues the mails. */
const SINGLE_NODE_ID = '-';

/** The final result of a mail. */
export type MailResult = 'sent' | 'refused' | 'expired';

export interface MailQueueParts {
  readonly mailStore: QueuedMailStore;
  /** @throws HostError `email_send_failed` */
  readonly send: (realm: Realm, mail: Mail, options: SendOptions) => Promise<void>;
  readonly realms: { get(name: string): Promise<Realm | undefined> };
  /** The nodes of a shared store. */
  readonly nodes: { readonly id: string; isAlive(id: string): boolean } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs work outside of the current transaction. */
  readonly outsideTransaction: <T>(work: () => Promise<T>) => Promise<T>;
  readonly budgets: Pick<MailBudgets, 'uncount' | 'recordResult'>;
  /** Called for mails that were not sent. */
  readonly onUnsent: (realm: Realm, location: MailLocation, storedMail: StoredMail) => void;
}

/**
 * Queues the mails of plugins. Mails stay in the store until they are sent, and are retried if a server does not accept
 * them. Realms and plugins take turns, so that many mails of one do not delay those of others.
 */
export class MailQueue {
  /** Number of mails by plugin and result. The keys are `plugin result`. */
  readonly results = new Map<string, { readonly plugin: string; readonly result: MailResult; count: number }>();
  readonly #parts: MailQueueParts;
  readonly #queues = new Map<string, RealmMailQueue>();
  readonly #turns = new FairQueue({ concurrency: MAX_CONCURRENT_MAILS, limit: Number.POSITIVE_INFINITY });
  readonly #deliveries = new Set<Promise<void>>();
  #pollTimer: NodeJS.Timeout | undefined;
  #takeOverTimer: NodeJS.Timeout | undefined;
  #opened: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: MailQueueParts) {
    this.#parts = parts;
  }

  /** Counts the mails that wait or are being sent, by plugin. */
  countWaiting(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const [key, queue] of this.#queues) {
      const [plugin = ''] = key.split(' ', 1);
      counts.set(plugin, (counts.get(plugin) ?? 0) + queue.length);
    }
    return counts;
  }

  /** Resumes mails that an earlier host has left, or takes over those of dead nodes. Further calls have no effect. */
  open(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /**
   * Adds a mail. Resolves when it is stored.
   * @param key a plugin's key: only one mail with it is sent per day
   * @returns its ID; undefined if there is a mail with this key, so this one is not sent
   * @throws HostError `mail_queue_full` (503)
   */
  async add(realm: string, plugin: string, storedMail: StoredMail, key?: string): Promise<string | undefined> {
    const queue = this.#queues.get(queueKey(plugin, realm));
    if ((queue?.length ?? 0) >= MAX_QUEUED_MAILS) {
      throw new HostError('mail_queue_full', `${MAX_QUEUED_MAILS} mails of ${plugin} wait in realm ${realm}`, {
        status: 503,
      });
    }
    const location = { node: this.#node, id: randomToken(12), realm, plugin };
    if (!(await this.#parts.mailStore.put(location, storedMail, key))) return undefined;
    this.#enqueue(location);
    return location.id;
  }

  /** Returns the ID of the mail that was added with this key within a day. */
  findByKey(realm: string, plugin: string, key: string): Promise<string | undefined> {
    return this.#parts.mailStore.findByKey(realm, plugin, key);
  }

  /** Resolves when no mail is being sent or due. */
  async whenIdle(): Promise<void> {
    await this.#opened;
    for (this.#advanceAll(); this.#deliveries.size > 0; this.#advanceAll()) await Promise.all(this.#deliveries);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pollTimer);
    clearInterval(this.#takeOverTimer);
    await within(CLOSE_TIMEOUT_MS, () => Promise.all(this.#deliveries)).catch(() => {
      this.#parts.logger.warn('stopped before all mails were sent: the others are sent after the next start');
    });
  }

  get #node(): string {
    return this.#parts.nodes?.id ?? SINGLE_NODE_ID;
  }

  async #open(): Promise<void> {
    const { nodes, mailStore, logger } = this.#parts;
    try {
      if (nodes === undefined)
        for await (const location of mailStore.listByNode(SINGLE_NODE_ID)) this.#enqueue(location);
      else this.#takeOverTimer = setInterval(() => void this.#takeOver(), TAKE_OVER_INTERVAL_MS).unref();
    } catch (error) {
      logger.error('mails that wait were not read', { reason: messageOf(error) });
    }
  }

  /** Takes over mails of dead nodes. */
  async #takeOver(): Promise<void> {
    const { nodes, mailStore, logger } = this.#parts;
    try {
      for (const node of nodes === undefined ? [] : await mailStore.listNodes()) {
        if (node === this.#node || nodes?.isAlive(node)) continue;
        for await (const location of mailStore.listByNode(node)) {
          if (this.#isClosed) return;
          const moved = await mailStore.move(location, this.#node);
          if (moved !== undefined) this.#enqueue(moved);
        }
      }
    } catch (error) {
      logger.warn('mails of a node that is gone were not taken over', { reason: messageOf(error) });
    }
  }

  #enqueue(location: MailLocation): void {
    const key = queueKey(location.plugin, location.realm);
    const queue = this.#queues.get(key) ?? new RealmMailQueue();
    this.#queues.set(key, queue);
    queue.add(location);
    this.#pollTimer ??= setInterval(() => this.#advanceAll(), POLL_MS).unref();
    this.#advance(key, queue);
  }

  #advanceAll(): void {
    for (const [key, queue] of this.#queues) this.#advance(key, queue);
    if (this.#queues.size > 0) return;
    clearInterval(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** Starts sending the mails of a queue that are due. */
  #advance(key: string, queue: RealmMailQueue): void {
    if (this.#isClosed) return;
    for (
      let mail = queue.takeNext(this.#parts.clock.now());
      mail !== undefined;
      mail = queue.takeNext(this.#parts.clock.now())
    ) {
      const next = mail;
      const delivery = this.#turns
        .run(key, () => this.#parts.outsideTransaction(() => this.#deliver(queue, next)))
        .finally(() => {
          this.#deliveries.delete(delivery);
          this.#advance(key, queue);
        });
      this.#deliveries.add(delivery);
    }
    if (queue.length === 0) this.#queues.delete(key);
  }

  async #deliver(queue: RealmMailQueue, mail: NonNullable<ReturnType<RealmMailQueue['takeNext']>>): Promise<void> {
    const { mailStore, send, realms, clock, logger } = this.#parts;
    const { location } = mail;
    const { realm: name, plugin, id } = location;
    try {
      const realm = await realms.get(name);
      const storedMail = realm && (await mailStore.read(location));
      // Another node has taken the mail over, or its realm was deleted.
      if (realm === undefined || storedMail === undefined) await mailStore.delete(location);
      else if (clock.now() >= storedMail.expiresAt)
        await this.#recordUnsent(realm, location, storedMail, 'expired', 'it expired');
      else {
        const options = { kind: storedMail.kind ?? plugin, id, attempt: mail.attempts + 1 };
        const reason = await send(realm, storedMail.mail, options).then(
          () => undefined,
          (error: unknown) => {
            if (readScope(error) !== 'final') throw error;
            return reasonOf(error);
          },
        );
        if (reason !== undefined) await this.#recordUnsent(realm, location, storedMail, 'refused', reason);
        else {
          this.#count(plugin, 'sent');
          this.#parts.budgets.recordResult(realm, true);
          // The mail was sent: a failure to delete it must not cause another attempt here.
          await mailStore.delete(location).catch((error: unknown) => {
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
      queue.complete();
    } catch (error) {
      if (mail.failures === 0) {
        logger.warn('mail not sent yet', { plugin, realm: name, mail: id, reason: reasonOf(error) });
      }
      if (readScope(error) === 'mail') queue.defer(mail, clock.now());
      else queue.pause(mail, clock.now());
    }
  }

  async #recordUnsent(
    realm: Realm,
    location: MailLocation,
    storedMail: StoredMail,
    result: MailResult,
    reason: string,
  ): Promise<void> {
    const { mailStore, logger, onUnsent, budgets } = this.#parts;
    await mailStore.delete(location);
    budgets.recordResult(realm, false);
    await budgets.uncount(realm, storedMail.counted ?? []).catch((error: unknown) => {
      logger.warn('a mail that was not sent still counts', {
        plugin: location.plugin,
        realm: realm.name,
        reason: messageOf(error),
      });
    });
    this.#count(location.plugin, result);
    logger.error('mail not sent', { plugin: location.plugin, realm: realm.name, mail: location.id, reason });
    onUnsent(realm, location, storedMail);
  }

  #count(plugin: string, result: MailResult): void {
    const key = `${plugin} ${result}`;
    const entry = this.results.get(key) ?? { plugin, result, count: 0 };
    entry.count += 1;
    this.results.set(key, entry);
  }
}

function queueKey(plugin: string, realm: string): string {
  return `${plugin} ${realm}`;
}

/** Returns the `scope` of a `MailFailure`; `server` for any other error. */
function readScope(error: unknown): unknown {
  return codeOf(error) === 'email_send_failed' ? memberOf(memberOf(error, 'cause'), 'scope') : 'server';
}

function reasonOf(error: unknown): string {
  return messageOf(memberOf(error, 'cause') ?? error);
}
