import {
  EmailTemplate,
  type MailForm,
  type MailPage,
  type ProviderDefinition,
  provide,
  type TemplateMail,
} from '@keyhost/spi';
import { messageOf } from '../../model/thrown.js';
import { Texts, type TextTable } from '../../pages/messages/texts.js';
import { realmTexts } from '../../pages/page-frame.js';
import { themeOf } from '../../pages/theme-of-realm.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { renderMailContent } from '../mail-content.js';

/**
 * The built-in template, with Keycloak's ID. It renders mails by the realm's `emailTheme`, or else in the built-in
 * format.
 */
export const builtInTemplate: ProviderDefinition = provide(EmailTemplate, {
  id: 'freemarker',
  open: () => ({ create: (session) => ({ render: (mail) => renderMail(session as HostSession, mail) }) }),
});

async function renderMail(session: HostSession, mail: TemplateMail): Promise<MailForm> {
  const { realm, locale, subject, before, link, after } = mail;
  const page: MailPage = { realm, locale, subject, before, after, ...(link === undefined ? {} : { link }) };
  let themeTexts: TextTable | undefined;
  try {
    const theme = themeOf(session.compiledRealm, session, 'emailTheme');
    const form = theme?.mail && (await session.withTimeLimit(theme.mail(structuredClone(page))));
    if (isComplete(form)) return form;
    themeTexts = theme?.messages && (await session.withTimeLimit(theme.messages(locale)));
  } catch (error) {
    logThemeFailure(session, subject.key, error);
  }
  return renderMailContent(page, new Texts(locale, [realmTexts(session.compiledRealm, locale), themeTexts]));
}

/**
 * Loads the texts of a realm's mails in a language.
 * @param subject the key of the subject, for the log
 */
export async function loadMailTexts(session: HostSession, locale: string, subject: string): Promise<Texts> {
  let themeTexts: TextTable | undefined;
  try {
    const theme = themeOf(session.compiledRealm, session, 'emailTheme');
    themeTexts = theme?.messages && (await session.withTimeLimit(theme.messages(locale)));
  } catch (error) {
    logThemeFailure(session, subject, error);
  }
  return new Texts(locale, [realmTexts(session.compiledRealm, locale), themeTexts]);
}

function logThemeFailure(session: HostSession, subject: string, error: unknown): void {
  const { name: realm } = session.realm;
  session.logger.error('the email theme failed', { realm, subject, reason: messageOf(error) });
}

function isComplete(form: unknown): form is MailForm {
  const { subject, text, html } = (form ?? {}) as Record<string, unknown>;
  return [subject, text, html].every((part) => typeof part === 'string');
}
