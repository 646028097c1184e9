import type { MailPage } from '@keyhost/spi';
import { messageOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import { Texts, type TextTable } from '../pages/messages/texts.js';
import { realmTexts } from '../pages/page-frame.js';
import { themeOf } from '../pages/theme-of-realm.js';
import type { HostSession } from '../registry/sessions/session.js';
import { mailContentOf } from './mail-content.js';
import type { Mail, Mailer } from './mailer.js';

/** Sends the mails of a realm to its users: in the form of the realm's `emailTheme`, else the host's own. */
export class RealmMails {
  readonly #mailer: Mailer;

  constructor(mailer: Mailer) {
    this.#mailer = mailer;
  }

  /** @throws HostError `email_send_failed` (500) */
  async send(
    session: HostSession,
    { user: { view }, address }: { readonly user: User; readonly address: string },
    content: Omit<MailPage, 'realm' | 'locale'>,
    locale: string,
  ): Promise<void> {
    const realm = session.compiledRealm;
    const own = realmTexts(realm, locale);
    const displayName = new Texts(locale, [own]).name(realm.view.displayName || realm.name);
    const page: MailPage = { realm: { name: realm.name, displayName }, locale, ...content };
    const { subject, text, html } = await this.#rendered(session, page, own);
    const name = [view.firstName, view.lastName].filter((part) => part !== undefined && part !== '').join(' ');
    await this.#mailer.send(realm, { to: { name, address }, subject, text, html });
  }

  async #rendered(session: HostSession, page: MailPage, own: TextTable | undefined): Promise<Omit<Mail, 'to'>> {
    let additions: TextTable | undefined;
    try {
      const theme = themeOf(session.compiledRealm, session, 'emailTheme');
      const mail = theme?.mail && (await session.limited(theme.mail(structuredClone(page))));
      if (isComplete(mail)) return mail;
      additions = theme?.messages && (await session.limited(theme.messages(page.locale)));
    } catch (error) {
      const reason = messageOf(error);
      session.logger.error('the email theme failed', { realm: page.realm.name, subject: page.subject.key, reason });
    }
    return mailContentOf(page, new Texts(page.locale, [own, additions]));
  }
}

function isComplete(mail: unknown): mail is Omit<Mail, 'to'> {
  const { subject, text, html } = (mail ?? {}) as Record<string, unknown>;
  return [subject, text, html].every((part) => typeof part === 'string');
}
