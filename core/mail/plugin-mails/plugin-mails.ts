import { createHash } from 'node:crypto';
import { HostError, type MailRecipient, type PluginMail, type PluginRight, type QueuedMail } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import { chooseLocale } from '../../pages/locale/locale.js';
import type { Events } from '../../registry/events/events.js';
import { withCause } from '../../registry/sessions/causes.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { RightRefusals } from '../../registry/sessions/right-refusals.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { MailRequest } from '../../registry/sessions/session-services.js';
import type { Store } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { MailBudgets, MailSource } from '../mail-budgets.js';
import type { Mail } from '../mailer.js';
import { displayNameOf, fullNameOf, type RealmMails } from '../realm-mails.js';
import type { RealmSenders } from '../senders/realm-senders.js';
import type { MailQueue } from './mail-queue.js';
import { renderTemplate } from './render-template.js';
import { validateMail } from './validate-mail.js';

/** Maximum number of mails per hour from a plugin to one recipient. Users may be able to trigger a plugin's mails. */
const MAX_MAILS_PER_HOUR = 30;
const DAY_SECONDS = 86_400;

interface Recipient {
  readonly to: Mail['to'];
  readonly locale: string;
  readonly user?: User;
}

export interface PluginMailParts {
  readonly mails: RealmMails;
  readonly senders: Pick<RealmSenders, 'problem'>;
  readonly queue: Pick<MailQueue, 'add' | 'findByKey'>;
  readonly users: Pick<Users, 'byId'>;
  readonly refusals: RightRefusals;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly budgets: MailBudgets;
  readonly store: Store;
  readonly clock: Clock;
}

/** Sends the mails of plugins. They are rendered immediately, in the recipient's language, and then queued. */
export class PluginMails {
  readonly #parts: PluginMailParts;

  constructor(parts: PluginMailParts) {
    this.#parts = parts;
  }

  /**
   * Sends a plugin's mail.
   * @throws HostError like `session.mail.send`
   */
  async send(request: MailRequest, session: HostSession): Promise<QueuedMail> {
    const { plugin, rights, mail: input } = request;
    const mail = validateMail(input);
    const { compiledRealm: realm } = session;
    this.#requireRight(
      'userId' in mail.to || 'typedName' in mail.to ? 'send-mail' : 'mail-any-address',
      plugin,
      rights,
      realm.name,
    );
    const problem = this.#parts.senders.problem(session);
    if (problem !== undefined) throw new HostError('mail_server_missing', `mail.send: no mail can be sent: ${problem}`);
    const earlierMail = await this.#findByKey(realm.name, plugin, mail);
    if (earlierMail !== undefined) return earlierMail;
    const unprovenRecipient = findUnprovenRecipient(session, mail.to);
    if (unprovenRecipient !== undefined) return this.#sendByName(request, session, mail, unprovenRecipient);
    const recipient = await this.#resolveRecipient(
      session,
      'typedName' in mail.to ? { userId: mail.to.userId ?? '' } : mail.to,
    );
    const content = await this.#render(session, plugin, mail, recipient);
    const counters = await this.#count(session, plugin, recipient);
    const { id } = await this.#enqueue(session, plugin, mail, recipient, content, counters);
    if (id === undefined) return (await this.#findByKey(realm.name, plugin, mail)) ?? this.send(request, session);
    session.logger.debug('mail queued', { plugin, realm: realm.name, mail: id });
    return { id };
  }

  async #findByKey(realm: string, plugin: string, { key }: PluginMail): Promise<QueuedMail | undefined> {
    const id = key === undefined ? undefined : await this.#parts.queue.findByKey(realm, plugin, key);
    return id === undefined ? undefined : { id, repeated: true };
  }

  #requireRight(right: PluginRight, plugin: string, rights: ReadonlySet<PluginRight>, realm: string): void {
    if (!rights.has(right)) throw this.#parts.refusals.refusalError(plugin, realm, right, 'mail.send');
  }

  /**
   * Sends a mail for a login that has not verified its user yet. Results and errors are the same as for an unknown
   * username.
   * @throws HostError `mail_too_many` (429)
   */
  async #sendByName(
    { plugin }: MailRequest,
    session: HostSession,
    mail: PluginMail,
    { typedName, userId }: NamedRecipient,
  ): Promise<QueuedMail> {
    const { budgets } = this.#parts;
    const { compiledRealm: realm, caller } = session;
    const source = toMailSource(session, plugin);
    const nameCounter = await budgets.countName(source, { typedName, ip: caller.ip });
    const fakeResult = { id: randomToken(12) };
    if (userId === undefined) {
      await budgets.uncountUnknownName(realm, nameCounter);
      return fakeResult;
    }
    try {
      const recipient = await this.#resolveRecipient(session, { userId });
      const content = await this.#render(session, plugin, mail, recipient);
      const counters = [nameCounter, ...(await budgets.countUnproven(source, userId, caller.ip))];
      const { id = fakeResult.id } = await this.#enqueue(session, plugin, mail, recipient, content, counters);
      return { id };
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'mail_no_address' && code !== 'mail_too_many') throw error;
      session.logger.warn('a mail that a typed name asked for was not sent', {
        plugin,
        userId,
        reason: messageOf(error),
      });
      return fakeResult;
    }
  }

  async #resolveRecipient(
    { compiledRealm: realm }: HostSession,
    to: Exclude<MailRecipient, NamedRecipient>,
  ): Promise<Recipient> {
    const toLocale = (preferred: string | undefined) => {
      const noPreferences = { uiLocales: undefined, cookie: undefined, acceptLanguage: undefined };
      return chooseLocale(realm, { kcLocale: preferred, ...noPreferences });
    };
    if ('address' in to) {
      const { name = '', address, locale } = to;
      return { to: { name, address }, locale: toLocale(locale) };
    }
    const user = await this.#parts.users.byId(realm, to.userId);
    const { email, attributes } = user?.view ?? {};
    if (user === undefined || !email) {
      throw new HostError('mail_no_address', 'mail.send: the user does not exist or has no email address');
    }
    return {
      to: { name: fullNameOf(user), address: email },
      locale: toLocale(attributes?.locale?.[0]),
      user,
    };
  }

  async #render(
    session: HostSession,
    plugin: string,
    mail: PluginMail,
    { locale, user }: Recipient,
  ): Promise<Omit<Mail, 'to'>> {
    const { mails } = this.#parts;
    const { subject, before = [], link, after = [], template } = mail;
    if (template === undefined) {
      const content = { subject, before, after, ...(link === undefined ? {} : { link }) };
      return mails.render(session, content, { kind: plugin, locale, user });
    }
    const texts = await mails.loadTexts(session, locale, subject.key);
    return renderTemplate(template, subject, displayNameOf(session, locale), texts);
  }

  /**
   * Counts a mail to a recipient.
   * @returns the counters of the mail
   */
  async #count(session: HostSession, plugin: string, { user, to }: Recipient): Promise<readonly string[]> {
    // Hash the addresses of strangers, so that they are not stored.
    const recipientId = user?.id ?? createHash('sha256').update(to.address.toLowerCase()).digest('base64url');
    return this.#parts.budgets.count(toMailSource(session, plugin), recipientId, 'user');
  }

  /** Queues the mail and records its event, even if the caller's transaction fails. */
  #enqueue(
    session: HostSession,
    plugin: string,
    mail: PluginMail,
    recipient: Recipient,
    content: Omit<Mail, 'to'>,
    counters: readonly string[],
  ) {
    const { queue, events, sessions, store, clock } = this.#parts;
    const { compiledRealm: realm } = session;
    const { to, user } = recipient;
    const userId = user?.id;
    const { event, expiresIn = DAY_SECONDS, key } = mail;
    const expiresAt = clock.now() + expiresIn * 1000;
    const storedMail = { mail: { to, ...content }, expiresAt, event, userId, counted: counters };
    const add = async () => ({ id: await queue.add(realm.name, plugin, storedMail, key) });
    return store.withoutEvents(() => {
      if (event === undefined) return add();
      const caller = withCause(plugin, session.caller);
      const details = { email: to.address, ...(user === undefined ? {} : { username: user.username }) };
      const sendEvent = { type: event, ...(userId === undefined ? {} : { userId }), ipAddress: caller.ip, details };
      return events.emitWithChange(
        realm,
        // No event if a mail with the same key exists already.
        (result) => (result !== undefined && result.id === undefined ? undefined : sendEvent),
        () => sessions.create(realm, caller, 'keyhost'),
        add,
      );
    });
  }
}

type NamedRecipient = Extract<MailRecipient, { readonly typedName: string }>;

/**
 * Returns the recipient if a login requests the mail before it has verified the user; undefined for every other mail.
 */
function findUnprovenRecipient({ subject, caller }: HostSession, to: MailRecipient): NamedRecipient | undefined {
  if ('address' in to) return undefined;
  const isProven = subject?.isProven === true && subject.userId === to.userId;
  if ('typedName' in to) return isProven ? undefined : to;
  const isOfLogin = caller.login !== undefined || subject !== undefined;
  return isOfLogin && !isProven ? { typedName: to.userId, userId: to.userId } : undefined;
}

function toMailSource({ compiledRealm: realm }: HostSession, sender: string): MailSource {
  return { realm, sender, maxPerHour: MAX_MAILS_PER_HOUR };
}
