import {
  EmailTemplate,
  type EmailTemplateProvider,
  type MailForm,
  type MailPage,
  type TemplateMail,
} from '@keyhost/spi';
import { messageOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import { Texts } from '../pages/messages/texts.js';
import { realmTexts } from '../pages/page-frame.js';
import { createProvider, type EnabledProvider } from '../registry/generations/realm-providers.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import { mailError } from './mail-failure.js';
import { findMailProvider } from './mail-provider.js';
import type { RealmSenders } from './senders/realm-senders.js';
import { loadMailTexts } from './templates/built-in-template.js';

type MailContent = Omit<MailPage, 'realm' | 'locale'>;

/** Properties of a mail in addition to its content. */
export interface MailContext {
  /** The mail's kind, for templates and senders. */
  readonly kind: string;
  /** A BCP 47 tag. */
  readonly locale: string;
  /** The recipient; undefined if the mail is addressed to an email address only. */
  readonly user?: User | undefined;
}

/** Maximum length of a plugin's error message in the log, in characters. */
const MAX_REASON_LENGTH = 300;

/** Sends mails to users of a realm, rendered by the realm's `EmailTemplate`. */
export class RealmMails {
  readonly #senders: Pick<RealmSenders, 'send'>;

  constructor(senders: Pick<RealmSenders, 'send'>) {
    this.#senders = senders;
  }

  /**
   * Renders and sends a mail to a user.
   * @throws HostError `email_send_failed` (500)
   */
  async send(
    session: HostSession,
    { user, address }: { readonly user: User; readonly address: string },
    content: MailContent,
    { kind, locale }: { readonly kind: string; readonly locale: string },
  ): Promise<void> {
    const mail = await this.render(session, content, { kind, locale, user });
    await this.#senders.send(session, { to: { name: fullNameOf(user), address }, ...mail }, { kind });
  }

  /**
   * Renders a mail.
   * @throws HostError `email_send_failed` (500) if the realm's template fails
   */
  async render(session: HostSession, content: MailContent, { kind, locale, user }: MailContext): Promise<MailForm> {
    const { plugin, builtIn } = findMailProvider(EmailTemplate, session.generation, session.compiledRealm);
    const { name } = session.compiledRealm;
    const page = { realm: { name, displayName: displayNameOf(session, locale) }, locale, ...content };
    const createTemplateMail = async (): Promise<TemplateMail> => {
      const texts = await loadMailTexts(session, locale, content.subject.key);
      const toTexts = (messages: MailPage['before']) => messages.map((message) => texts.text(message));
      const { subject, before, link, after } = page;
      return {
        ...page,
        kind,
        user: user?.view,
        texts: {
          subject: texts.text(subject),
          before: toTexts(before),
          link: link && texts.text(link.label),
          after: toTexts(after),
        },
      };
    };
    const form = plugin && (await renderByPlugin(session, plugin, await createTemplateMail()));
    if (form !== undefined) return form;
    if (builtIn === undefined) throw mailError(`realm ${name} has no email template enabled`);
    const mailWithoutTexts = { ...page, kind, user: user?.view, texts: NO_TEXTS };
    return (await createProvider(builtIn, session).render(mailWithoutTexts)) as MailForm;
  }

  /** Loads the texts of a realm's mails, for mails with their own format. */
  loadTexts(session: HostSession, locale: string, subject: string): Promise<Texts> {
    return loadMailTexts(session, locale, subject);
  }
}

/** The built-in template renders the texts itself. */
const NO_TEXTS = { subject: '', before: [], link: undefined, after: [] };

async function renderByPlugin(
  session: HostSession,
  template: EnabledProvider<unknown, EmailTemplateProvider>,
  mail: TemplateMail,
): Promise<MailForm | undefined> {
  const { id, plugin } = template.registered;
  const providerName = `${EmailTemplate.id}/${id}`;
  try {
    return await session.withTimeLimit(createProvider(template, session).render(structuredClone(mail)));
  } catch (error) {
    const reason = String(messageOf(error)).slice(0, MAX_REASON_LENGTH);
    throw mailError(`${plugin.name}: ${providerName}: ${reason}`, 'server', `${providerName} failed`);
  }
}

export function fullNameOf({ view }: User): string {
  return [view.firstName, view.lastName].filter((part) => part !== undefined && part !== '').join(' ');
}

/** Returns the realm's display name. */
export function displayNameOf({ compiledRealm: realm }: HostSession, locale: string): string {
  return new Texts(locale, [realmTexts(realm, locale)]).name(realm.view.displayName || realm.name);
}
