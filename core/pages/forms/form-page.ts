import type { Page } from '@keyhost/spi';
import { renderCodeList } from '../code-list.js';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';
import { renderOtherWays } from './other-ways-form.js';
import { renderPageField } from './page-field.js';
import { renderWebAuthnAttributes, renderWebAuthnNotes, WEBAUTHN_FIELDS } from './webauthn-form.js';

type FormPage = Extract<Page, { page: 'form' }>;

export function formPage(page: FormPage, texts: Texts): PageBody {
  const heading = texts.text(page.title);
  const { text, cancel, figure, codes, webauthn } = page;
  const polling =
    page.poll && html` data-poll="${safeLinkUrl(page.poll.url)}" data-interval="${String(page.poll.interval)}"`;
  const focusedName = fieldToFocus(page);
  const fields = page.fields.map((item) => renderPageField(texts, item, focusedName === item.name));
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`${text !== undefined && html`<p id="kc-form-text">${texts.text(text)}</p>`}
${figure !== undefined && html`<div class="figure"><img src="${safeImageUrl(figure.image)}" alt="${texts.text(figure.alternative)}"><p class="user-code" id="kc-figure-text">${figure.text}</p></div>`}
${codes !== undefined && renderCodeList(codes, texts)}
${webauthn !== undefined && renderWebAuthnNotes(texts)}
<form id="kc-form" action="${safeLinkUrl(page.action)}" method="post"${renderWebAuthnAttributes(webauthn)}${polling}>
${webauthn !== undefined && WEBAUTHN_FIELDS}${fields}
<div class="buttons">
<button type="submit" class="button" id="kc-submit"${webauthn !== undefined && focusedName === undefined && html` autofocus`}>${texts.text(page.submit)}</button>
${cancel !== undefined && html`<button type="submit" class="button secondary" id="kc-cancel" name="cancel-aia" value="true" formnovalidate>${texts.text(cancel)}</button>`}
</div>
</form>
${renderOtherWays(page, texts)}`,
  };
}

/** Returns the URL of an image if it is a path, or a `data:` URL of SVG or PNG; else an empty text. */
function safeImageUrl(address: string): string {
  return /^data:image\/(svg\+xml|png);base64,[A-Za-z0-9+/=]*$/.test(address) || address.startsWith('/') ? address : '';
}

/** Field types without text input. */
const BOX_TYPES: readonly string[] = ['checkbox', 'choice'];

/** Returns the name of the first field in error, or else of the first empty field. */
function fieldToFocus({ fields }: FormPage): string | undefined {
  const editable = fields.filter(({ type, readOnly }) => type !== 'hidden' && readOnly !== true);
  const firstEmpty = editable.find(
    ({ type, value = '' }) => !BOX_TYPES.includes(type) && (type === 'password' || value === ''),
  );
  return (editable.find(({ error }) => error !== undefined) ?? firstEmpty)?.name;
}
