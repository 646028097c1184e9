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
import { failed } from './mail-failure.js';
import { mailProviderOf } from './mail-provider.js';
import type { RealmSenders } from './senders/realm-senders.js';
import { mailTexts } from './templates/own-template.js';

type Content = Omit<MailPage, 'realm' | 'locale'>;

/** Properties of a mail in addition to its content. */
export interface MailContext {
  /** The kind, for templates and senders. */
  readonly kind: string;
  /** A BCP 47 tag. */
  readonly locale: string;
  /** The recipient. Undefined for a mail to an address. */
  readonly user?: User | undefined;
}

/** Maximum length of a plugin's reason in the log, in characters. */
const REASON_LIMIT = 300;

/** Sends mails to users of a realm, rendered by the realm's `EmailTemplate`. */
export class RealmMails {
  readonly #senders: Pick<RealmSenders, 'send'>;

  constructor(senders: Pick<RealmSenders, 'send'>) {
    this.#senders = senders;
  }

  /** @throws HostError `email_send_failed` (500) */
  async send(
    session: HostSession,
    { user, address }: { readonly user: User; readonly address: string },
    content: Content,
    { kind, locale }: { readonly kind: string; readonly locale: string },
  ): Promise<void> {
    const mail = await this.rendered(session, content, { kind, locale, user });
    await this.#senders.send(session, { to: { name: fullNameOf(user), address }, ...mail }, { kind });
  }

  /** Renders a mail. @throws HostError `email_send_failed` (500) if the realm's template fails */
  async rendered(session: HostSession, content: Content, { kind, locale, user }: MailContext): Promise<MailForm> {
    const { plugin, builtIn } = mailProviderOf(EmailTemplate, session.generation, session.compiledRealm);
    const { name } = session.compiledRealm;
    const page = { realm: { name, displayName: displayNameOf(session, locale) }, locale, ...content };
    const mail = async (): Promise<TemplateMail> => {
      const texts = await mailTexts(session, locale, content.subject.key);
      const said = (messages: MailPage['before']) => messages.map((message) => texts.text(message));
      const { subject, before, link, after } = page;
      return {
        ...page,
        kind,
        user: user?.view,
        texts: {
          subject: texts.text(subject),
          before: said(before),
          link: link && texts.text(link.label),
          after: said(after),
        },
      };
    };
    const form = plugin && (await writtenByPlugin(session, plugin, await mail()));
    if (form !== undefined) return form;
    if (builtIn === undefined) throw failed(`realm ${name} has no email template enabled`);
    const bare = { ...page, kind, user: user?.view, texts: NO_TEXTS };
    return (await createProvider(builtIn, session).render(bare)) as MailForm;
  }

  /** The texts of a realm's mails, for a mail with a format of its own. */
  texts(session: HostSession, locale: string, subject: string): Promise<Texts> {
    return mailTexts(session, locale, subject);
  }
}

/** The built-in template has texts for every mail. */
const NO_TEXTS = { subject: '', before: [], link: undefined, after: [] };

async function writtenByPlugin(
  session: HostSession,
  template: EnabledProvider<unknown, EmailTemplateProvider>,
  mail: TemplateMail,
): Promise<MailForm | undefined> {
  const { id, plugin } = template.registered;
  const what = `${EmailTemplate.id}/${id}`;
  try {
    return await session.withTimeLimit(createProvider(template, session).render(structuredClone(mail)));
  } catch (error) {
    const reason = String(messageOf(error)).slice(0, REASON_LIMIT);
    throw failed(`${plugin.name}: ${what}: ${reason}`, 'server', `${what} failed`);
  }
}

export function fullNameOf({ view }: User): string {
  return [view.firstName, view.lastName].filter((part) => part !== undefined && part !== '').join(' ');
}

/** The realm's display name. */
export function displayNameOf({ compiledRealm: realm }: HostSession, locale: string): string {
  return new Texts(locale, [realmTexts(realm, locale)]).name(realm.view.displayName || realm.name);
}
