import type { MailPage } from '@keyhost/spi';
import { html, styleElement } from '../pages/html.js';
import type { Texts } from '../pages/messages/texts.js';
import { safeLinkUrl } from '../pages/safe-link-url.js';
import type { Mail } from './mailer.js';

/** Inline, because mail programs load no stylesheets. Some ignore all styles. */
const STYLE = `body { margin: 0; padding: 24px 12px; background: #eef1f6; color: #171c26; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 24px; background: #ffffff; border: 1px solid #dce1ea; border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 16px; font-size: 20px; line-height: 1.3; }
p, ul { margin: 0 0 16px; }
a.button { display: inline-block; padding: 10px 20px; border-radius: 8px; background: #1d55cf; color: #ffffff; font-weight: 600; text-decoration: none; }
.soft { color: #4f5868; font-size: 14px; }`;

/** Renders a mail in the built-in format, with the same content as text and as HTML. */
export function renderMailContent(page: MailPage, texts: Texts): Omit<Mail, 'to'> {
  const { locale, realm, link } = page;
  const subject = texts.text(page.subject);
  const before = page.before.map((text) => texts.text(text));
  const after = page.after.map((text) => texts.text(text));
  const button =
    link &&
    html`<p><a class="button" href="${safeLinkUrl(link.url)}">${texts.text(link.label)}</a></p>
<p class="soft">${link.url}</p>
`;
  const document = html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title>${styleElement(STYLE)}</head>
<body><main>
<h1>${realm.displayName}</h1>
${before.map((text) => html`<p>${text}</p>`)}
${button}${after.map((text) => html`<p class="soft">${text}</p>`)}
</main></body>
</html>
`;
  return {
    subject,
    text: `${[realm.displayName, ...before, ...(link === undefined ? [] : [link.url]), ...after].join('\n\n')}\n`,
    html: document.toString(),
  };
}
