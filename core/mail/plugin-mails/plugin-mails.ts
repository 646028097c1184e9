import { createHash } from 'node:crypto';
import { HostError, type PluginMail, type PluginRight, type QueuedMail } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import { chooseLocale } from '../../pages/locale/locale.js';
import type { Events } from '../../registry/events/events.js';
import { causedBy } from '../../registry/sessions/causes.js';
import type { GrantRefusals } from '../../registry/sessions/grant-refusals.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { MailRequest } from '../../registry/sessions/session-services.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { Mail } from '../mailer.js';
import { displayNameOf, fullNameOf, type RealmMails } from '../realm-mails.js';
import type { RealmSenders } from '../senders/realm-senders.js';
import { checkedMail } from './checked-mail.js';
import type { MailQueue } from './mail-queue.js';
import { templateContent } from './template-content.js';

/** Mails of a plugin to one recipient within an hour: whoever can have a plugin send one can have it send many. */
const MAILS_AN_HOUR = 30;
const HOUR_MS = 3_600_000;
/** Seconds. */
const DAY = 86_400;

interface Recipient {
  readonly to: Mail['to'];
  readonly locale: string;
  readonly user?: User;
}

export interface PluginMailParts {
  readonly mails: RealmMails;
  readonly senders: Pick<RealmSenders, 'problem'>;
  readonly queue: Pick<MailQueue, 'add' | 'withKey'>;
  readonly users: Pick<Users, 'byId'>;
  readonly refusals: GrantRefusals;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly store: Store;
  readonly clock: Clock;
}

/** Sends the mails of plugins: written when they are asked for, in the recipient's language, and queued. */
export class PluginMails {
  readonly #parts: PluginMailParts;

  constructor(parts: PluginMailParts) {
    this.#parts = parts;
  }

  /** @throws HostError as `session.mail.send` */
  async send(request: MailRequest, session: HostSession): Promise<QueuedMail> {
    const { plugin, rights, mail: given } = request;
    const mail = checkedMail(given);
    const { compiledRealm: realm } = session;
    this.#require('userId' in mail.to ? 'send-mail' : 'mail-any-address', plugin, rights, realm.name);
    const problem = this.#parts.senders.problem(session);
    if (problem !== undefined) throw new HostError('mail_server_missing', `mail.send: no mail can be sent: ${problem}`);
    const before = await this.#withKey(realm.name, plugin, mail);
    if (before !== undefined) return before;
    const recipient = await this.#recipient(session, mail);
    const content = await this.#written(session, plugin, mail, recipient);
    await this.#count(plugin, realm.name, recipient);
    const { id } = await this.#queued(session, plugin, mail, recipient, content);
    if (id === undefined) return (await this.#withKey(realm.name, plugin, mail)) ?? this.send(request, session);
    session.logger.debug('mail queued', { plugin, realm: realm.name, mail: id });
    return { id };
  }

  async #withKey(realm: string, plugin: string, { key }: PluginMail): Promise<QueuedMail | undefined> {
    const id = key === undefined ? undefined : await this.#parts.queue.withKey(realm, plugin, key);
    return id === undefined ? undefined : { id, repeated: true };
  }

  #require(right: PluginRight, plugin: string, rights: ReadonlySet<PluginRight>, realm: string): void {
    if (!rights.has(right)) throw this.#parts.refusals.refused(plugin, realm, right, 'mail.send');
  }

  async #recipient({ compiledRealm: realm }: HostSession, { to }: PluginMail): Promise<Recipient> {
    const localeOf = (own: string | undefined) => {
      const wishes = { uiLocales: undefined, cookie: undefined, acceptLanguage: undefined };
      return chooseLocale(realm, { kcLocale: own, ...wishes });
    };
    if ('address' in to) {
      const { name = '', address, locale } = to;
      return { to: { name, address }, locale: localeOf(locale) };
    }
    const user = await this.#parts.users.byId(realm, to.userId);
    const { email, attributes } = user?.view ?? {};
    if (user === undefined || !email) {
      throw new HostError('mail_no_address', 'mail.send: the user does not exist or has no email address');
    }
    return {
      to: { name: fullNameOf(user), address: email },
      locale: localeOf(attributes?.locale?.[0]),
      user,
    };
  }

  async #written(
    session: HostSession,
    plugin: string,
    mail: PluginMail,
    { locale, user }: Recipient,
  ): Promise<Omit<Mail, 'to'>> {
    const { mails } = this.#parts;
    const { subject, before = [], link, after = [], template } = mail;
    if (template === undefined) {
      const content = { subject, before, after, ...(link === undefined ? {} : { link }) };
      return mails.rendered(session, content, { kind: plugin, locale, user });
    }
    const texts = await mails.texts(session, locale, subject.key);
    return templateContent(template, subject, displayNameOf(session, locale), texts);
  }

  async #count(plugin: string, realm: string, { user, to }: Recipient): Promise<void> {
    const { store, clock } = this.#parts;
    // Addresses of strangers are in nobody's database.
    const whom = user?.id ?? createHash('sha256').update(to.address.toLowerCase()).digest('base64url');
    const counter = { realm, subject: `mails of ${plugin} ${whom}`, now: clock.now(), windowMs: HOUR_MS };
    const { count } = await store.apart(() => store.counters.bump(counter));
    if (count > MAILS_AN_HOUR) {
      throw new HostError(
        'mail_too_many',
        `mail.send: ${MAILS_AN_HOUR} mails of ${plugin} to one recipient within an hour`,
        { status: 429 },
      );
    }
  }

  /** Its event is recorded with it, and with nothing of what called the plugin. */
  #queued(session: HostSession, plugin: string, mail: PluginMail, recipient: Recipient, content: Omit<Mail, 'to'>) {
    const { queue, events, sessions, store, clock } = this.#parts;
    const { compiledRealm: realm } = session;
    const { to, user } = recipient;
    const userId = user?.id;
    const { event, expiresIn = DAY, key } = mail;
    const expiresAt = clock.now() + expiresIn * 1000;
    const kept = { mail: { to, ...content }, expiresAt, event, userId };
    const add = async () => ({ id: await queue.add(realm.name, plugin, kept, key) });
    return store.apart(() => {
      if (event === undefined) return add();
      const caller = causedBy(plugin, session.caller);
      const details = { email: to.address, ...(user === undefined ? {} : { username: user.username }) };
      const told = { type: event, ...(userId === undefined ? {} : { userId }), ipAddress: caller.ip, details };
      return events.emitWithChange(
        realm,
        // Nothing comes about where the key was there already.
        (added) => (added !== undefined && added.id === undefined ? undefined : told),
        () => sessions.create(realm, caller, 'keyhost'),
        add,
      );
    });
  }
}
