import { HostError, type MailPage, type Message } from '@keyhost/spi';
import type { RealmMails } from '../mail/realm-mails.js';
import type { Clock } from '../model/clock.js';
import { durationInWords } from '../model/duration-in-words.js';
import { codeOf, memberOf, messageOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import type { Events } from '../registry/events/events.js';
import type { ActionTokenRequest, HostSession } from '../registry/sessions/session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { Store } from '../store/store.js';
import type { MailedLinks } from './mailed-links.js';

/** Mails that one user gets within an hour, whoever asks for them. */
const MAILS_AN_HOUR = 10;
const HOUR_MS = 3_600_000;

/** What is mailed with the links of one type of action token: said where the type's handler is. */
export interface MailKind {
  /** The type of the action token. */
  readonly type: string;
  /** The event that tells of the mail. */
  readonly event: string;
  /** What the keys of its texts begin with: `{words}Subject`, `{words}Text`, `{words}Link`, `{words}Ignore`. */
  readonly words: string;
}

/** A mail with a link: which kind, and what its words are about. */
export interface LinkMail extends Pick<ActionTokenRequest, 'claims' | 'clientId' | 'expiresIn' | 'login'> {
  readonly kind: MailKind;
  /** Where it goes to, when that is not the user's own address. */
  readonly to?: string;
  /** The language of the mail, a BCP 47 tag. */
  readonly locale: string;
  /** What an `execute-actions` link asks for. */
  readonly actions?: readonly Message[];
  /** What its texts are about beside the username. */
  readonly words?: readonly string[];
}

/** Mails users the links of built-in action tokens, with an event of each and not too many to anybody. */
export class LinkMails {
  readonly #links: MailedLinks;
  readonly #mails: RealmMails;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #events: Events;
  readonly #sessions: SessionFactory;

  constructor(parts: {
    links: MailedLinks;
    mails: RealmMails;
    store: Store;
    clock: Clock;
    events: Events;
    sessions: SessionFactory;
  }) {
    this.#links = parts.links;
    this.#mails = parts.mails;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#events = parts.events;
    this.#sessions = parts.sessions;
  }

  /**
   * Sends it, with an event either way.
   * @throws HostError `email_send_failed` (500), also when too many emails to this user in the last hour mails
   */
  async send(session: HostSession, user: User, mail: LinkMail): Promise<void> {
    const { kind, locale, to = user.view.email ?? '', actions = [], words: more = [], ...request } = mail;
    const { type, words } = kind;
    const failure = await this.#withEvent(session, user, mail, async (details) => {
      try {
        await this.#count(session, user);
        const { link, expiresIn } = await this.#links.issue(session, user, {
          type,
          userId: user.id,
          ...request,
          onSigned: ({ id }) => {
            details.token_id = id;
          },
        });
        await this.#mails.send(
          session,
          { user, address: to },
          contentOf(words, [user.username, ...more], { link, expiresIn, locale, actions }),
          { kind: type, locale },
        );
        return undefined;
      } catch (error) {
        return { error };
      }
    });
    if (failure === undefined) return;
    const { error } = failure;
    const reason = messageOf(memberOf(error, 'cause') ?? error);
    session.logger.error('an email was not sent', { realm: session.realm.name, mail: type, reason });
    throw codeOf(error) === 'email_send_failed'
      ? error
      : new HostError('email_send_failed', 'Failed to send email', { cause: error });
  }

  async #count({ realm }: HostSession, { id }: User): Promise<void> {
    const counter = { realm: realm.name, subject: `mails ${id}`, now: this.#clock.now(), windowMs: HOUR_MS };
    const { count } = await this.#store.counters.bump(counter);
    if (count > MAILS_AN_HOUR) {
      throw new HostError('email_send_failed', 'Failed to send email', {
        cause: new Error('too many emails to this user in the last hour'),
      });
    }
  }

  /** The event is written with the link, before anybody has it; where the mail fails it becomes its `_ERROR` twin. */
  #withEvent<T>(
    { compiledRealm: realm, caller }: HostSession,
    user: User,
    mail: LinkMail,
    send: (details: Record<string, string>) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const details: Record<string, string> = { username: user.username, email: mail.to ?? user.view.email ?? '' };
    const event = { type: mail.kind.event, userId: user.id, clientId: mail.clientId, ipAddress: caller.ip, details };
    return this.#events.emitWithChange<T | undefined>(
      realm,
      (failure) => (failure === undefined ? event : { ...event, error: 'email_send_failed' }),
      () => this.#sessions.create(realm, caller, 'keyhost'),
      () => send(details),
    );
  }
}

function contentOf(
  words: string,
  params: readonly string[],
  {
    link,
    expiresIn,
    locale,
    actions,
  }: { link: string; expiresIn: number; locale: string; actions: readonly Message[] },
): Omit<MailPage, 'realm' | 'locale'> {
  const message = (name: string): Message => ({ key: `${words}${name}`, params });
  return {
    subject: message('Subject'),
    before: [message('Text'), ...actions],
    link: { label: message('Link'), url: link },
    after: [{ key: 'linkExpiration', params: [durationInWords(expiresIn, locale)] }, message('Ignore')],
  };
}
