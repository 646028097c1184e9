import { HostError, type MailPage, type Message } from '@keyhost/spi';
import type { MailBudgets, MailRequestSource, MailSource } from '../mail/mail-budgets.js';
import type { RealmMails } from '../mail/realm-mails.js';
import { durationInWords } from '../model/duration-in-words.js';
import type { Realm } from '../model/realm.js';
import { codeOf, memberOf, messageOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import type { Events } from '../registry/events/events.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { ActionTokenRequest } from '../registry/sessions/session-services.js';
import type { MailedLinks } from './mailed-links.js';

/** Maximum number of mails per hour for a user who has proven their identity. */
const MAX_MAILS_PER_HOUR = 10;

/** Describes the mails with links of one type of action token. Each type is declared in the file of its handler. */
export interface LinkMailType {
  /** The type of the action token. */
  readonly type: string;
  /** The event that records the mail. */
  readonly event: string;
  /** Prefix of its message keys: `{prefix}Subject`, `{prefix}Text`, `{prefix}Link`, `{prefix}Ignore`. */
  readonly messagePrefix: string;
}

/** A mail with a link. */
export interface LinkMail extends Pick<ActionTokenRequest, 'claims' | 'clientId' | 'expiresIn' | 'login'> {
  readonly kind: LinkMailType;
  /** The source of the request, which determines how the mail is counted. */
  readonly requestSource: MailRequestSource;
  /** The counters that `countName` has already increased for a typed username. */
  readonly nameCounters?: readonly string[];
  /** The recipient; default: the user's own email. */
  readonly to?: string;
  /** The language of the mail, a BCP 47 tag. */
  readonly locale: string;
  /** The actions that an `execute-actions` link asks for. */
  readonly actions?: readonly Message[];
  /** Parameters of its texts, after the username. */
  readonly extraParams?: readonly string[];
}

/**
 * Sends mails with the links of built-in action tokens to users, with an event for each, and limits the number of
 * mails.
 */
export class LinkMails {
  readonly #parts: {
    links: MailedLinks;
    mails: RealmMails;
    budgets: MailBudgets;
    events: Events;
    sessions: SessionFactory;
  };

  constructor(parts: {
    links: MailedLinks;
    mails: RealmMails;
    budgets: MailBudgets;
    events: Events;
    sessions: SessionFactory;
  }) {
    this.#parts = parts;
  }

  /**
   * Sends the mail and emits its event, also on failure.
   * @throws HostError `email_send_failed` (500), `mail_too_many` (429)
   */
  async send(session: HostSession, user: User, mail: LinkMail): Promise<void> {
    const {
      kind,
      locale,
      to = user.view.email ?? '',
      actions = [],
      extraParams = [],
      requestSource,
      nameCounters,
      ...request
    } = mail;
    const { compiledRealm: realm } = session;
    let counters = nameCounters ?? [];
    const { type, messagePrefix } = kind;
    const failure = await this.#withEvent(session, user, mail, async (details) => {
      try {
        counters = [...counters, ...(await this.#count(realm, user, mail))];
        const { link, expiresIn } = await this.#parts.links.issue(session, user, {
          type,
          userId: user.id,
          ...request,
          onSigned: ({ id }) => {
            details.token_id = id;
          },
        });
        await this.#parts.mails.send(
          session,
          { user, address: to },
          contentOf(messagePrefix, [user.username, ...extraParams], { link, expiresIn, locale, actions }),
          { kind: type, locale },
        );
        this.#parts.budgets.recordResult(realm, true);
        return undefined;
      } catch (error) {
        return { error };
      }
    });
    if (failure === undefined) return;
    const { error } = failure;
    await this.#parts.budgets.uncount(realm, counters);
    if (codeOf(error) === 'mail_too_many') {
      session.logger.warn('an email was not sent', { realm: realm.name, mail: type, reason: messageOf(error) });
      throw error;
    }
    this.#parts.budgets.recordResult(realm, false);
    const reason = messageOf(memberOf(error, 'cause') ?? error);
    session.logger.error('an email was not sent', { realm: session.realm.name, mail: type, reason });
    throw codeOf(error) === 'email_send_failed'
      ? error
      : new HostError('email_send_failed', 'Failed to send email', { cause: error });
  }

  /**
   * Counts a mail for a typed username, before the user is looked up.
   * @returns the counter, for `nameCounters` of the mail
   * @throws HostError `mail_too_many` (429)
   */
  countName(realm: Realm, request: { readonly typedName: string; readonly ip: string }): Promise<string> {
    return this.#parts.budgets.countName(sourceOf(realm), request);
  }

  /** Undoes the count of an unknown username while the realm's mails fail, as for known ones. */
  uncountUnknownName(realm: Realm, counter: string): Promise<void> {
    return this.#parts.budgets.uncountUnknownName(realm, counter);
  }

  #count(realm: Realm, { id }: User, { requestSource, nameCounters }: LinkMail): Promise<readonly string[]> {
    if (nameCounters === undefined || typeof requestSource === 'string')
      return this.#parts.budgets.count(sourceOf(realm), id, requestSource);
    return this.#parts.budgets.countUnproven(sourceOf(realm), id, requestSource.ip);
  }

  /**
   * Stores the link, sends the mail and emits its event. The event is stored together with the link, and becomes an
   * `_ERROR` event if the mail fails.
   */
  #withEvent<T>(
    { compiledRealm: realm, caller }: HostSession,
    user: User,
    mail: LinkMail,
    send: (details: Record<string, string>) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const details: Record<string, string> = { username: user.username, email: mail.to ?? user.view.email ?? '' };
    const event = { type: mail.kind.event, userId: user.id, clientId: mail.clientId, ipAddress: caller.ip, details };
    return this.#parts.events.emitWithChange<T | undefined>(
      realm,
      (failure) => (failure === undefined ? event : { ...event, error: 'email_send_failed' }),
      () => this.#parts.sessions.create(realm, caller, 'keyhost'),
      () => send(details),
    );
  }
}

function contentOf(
  messagePrefix: string,
  params: readonly string[],
  {
    link,
    expiresIn,
    locale,
    actions,
  }: { link: string; expiresIn: number; locale: string; actions: readonly Message[] },
): Omit<MailPage, 'realm' | 'locale'> {
  const message = (name: string): Message => ({ key: `${messagePrefix}${name}`, params });
  return {
    subject: message('Subject'),
    before: [message('Text'), ...actions],
    link: { label: message('Link'), url: link },
    after: [{ key: 'linkExpiration', params: [durationInWords(expiresIn, locale)] }, message('Ignore')],
  };
}

function sourceOf(realm: Realm): MailSource {
  return { realm, sender: '', maxPerHour: MAX_MAILS_PER_HOUR };
}

/**
 * The message for a user whose mail was not sent.
 * @throws the error itself if it is not about a mail that was not sent
 */
export function unsentMessage(error: unknown): Message {
  const code = codeOf(error);
  if (code === 'mail_too_many') return { key: 'emailTooManyMessage' };
  if (code !== 'email_send_failed') throw error;
  return { key: 'emailSendErrorMessage' };
}
