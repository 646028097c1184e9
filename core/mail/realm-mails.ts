import type { MailPage } from '@keyhost/spi';
import { messageOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import { Texts, type TextTable } from '../pages/messages/texts.js';
import { realmTexts } from '../pages/page-frame.js';
import { themeOf } from '../pages/theme-of-realm.js';
import type { HostSession } from '../registry/sessions/session.js';
import { mailContentOf } from './mail-content.js';
import type { Mail } from './mailer.js';
import type { RealmSenders } from './senders/realm-senders.js';

type Content = Omit<MailPage, 'realm' | 'locale'>;

/** Sends the mails of a realm to its users: in the form of the realm's `emailTheme`, else the host's own. */
export class RealmMails {
  readonly #senders: Pick<RealmSenders, 'send'>;

  constructor(senders: Pick<RealmSenders, 'send'>) {
    this.#senders = senders;
  }

  /**
   * @param kind what senders are told that it is
   * @throws HostError `email_send_failed` (500)
   */
  async send(
    session: HostSession,
    { user, address }: { readonly user: User; readonly address: string },
    content: Content,
    { kind, locale }: { readonly kind: string; readonly locale: string },
  ): Promise<void> {
    const mail = await this.rendered(session, content, locale);
    await this.#senders.send(session, { to: { name: fullNameOf(user), address }, ...mail }, { kind });
  }

  /** A mail in its form. */
  async rendered(session: HostSession, content: Content, locale: string): Promise<Omit<Mail, 'to'>> {
    const realm = session.compiledRealm;
    const own = realmTexts(realm, locale);
    const page: MailPage = {
      realm: { name: realm.name, displayName: displayNameOf(session, locale) },
      locale,
      ...content,
    };
    let additions: TextTable | undefined;
    try {
      const theme = themeOf(realm, session, 'emailTheme');
      const mail = theme?.mail && (await session.limited(theme.mail(structuredClone(page))));
      if (isComplete(mail)) return mail;
      additions = theme?.messages && (await session.limited(theme.messages(locale)));
    } catch (error) {
      themeFailed(session, page.subject.key, error);
    }
    return mailContentOf(page, new Texts(locale, [own, additions]));
  }

  /** The texts of a realm's mails, for a mail that has a form of its own. */
  async texts(session: HostSession, locale: string, subject: string): Promise<Texts> {
    let additions: TextTable | undefined;
    try {
      const theme = themeOf(session.compiledRealm, session, 'emailTheme');
      additions = theme?.messages && (await session.limited(theme.messages(locale)));
    } catch (error) {
      themeFailed(session, subject, error);
    }
    return new Texts(locale, [realmTexts(session.compiledRealm, locale), additions]);
  }
}

export function fullNameOf({ view }: User): string {
  return [view.firstName, view.lastName].filter((part) => part !== undefined && part !== '').join(' ');
}

/** The realm's name as people see it. */
export function displayNameOf({ compiledRealm: realm }: HostSession, locale: string): string {
  return new Texts(locale, [realmTexts(realm, locale)]).name(realm.view.displayName || realm.name);
}

function themeFailed(session: HostSession, subject: string, error: unknown): void {
  const { name: realm } = session.realm;
  session.logger.error('the email theme failed', { realm, subject, reason: messageOf(error) });
}

function isComplete(mail: unknown): mail is Omit<Mail, 'to'> {
  const { subject, text, html } = (mail ?? {}) as Record<string, unknown>;
  return [subject, text, html].every((part) => typeof part === 'string');
}
