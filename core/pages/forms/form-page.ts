import type { Page } from '@keyhost/spi';
import { codeList } from '../code-list.js';
import { html } from '../html.js';
import { linkAddress } from '../link-address.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { otherWaysForm } from './other-ways-form.js';
import { pageField } from './page-field.js';
import { WEBAUTHN_FIELDS, webAuthnAttributes, webAuthnNotes } from './webauthn-form.js';

type FormPage = Extract<Page, { page: 'form' }>;

export function formPage(page: FormPage, texts: Texts): PageBody {
  const heading = texts.text(page.title);
  const { text, cancel, figure, codes, webauthn } = page;
  const polling =
    page.poll && html` data-poll="${linkAddress(page.poll.url)}" data-interval="${String(page.poll.interval)}"`;
  const focus = focused(page);
  const fields = page.fields.map((one) => pageField(texts, one, focus === one.name));
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`${text !== undefined && html`<p id="kc-form-text">${texts.text(text)}</p>`}
${figure !== undefined && html`<div class="figure"><img src="${imageAddress(figure.image)}" alt="${texts.text(figure.alternative)}"><p class="user-code" id="kc-figure-text">${figure.text}</p></div>`}
${codes !== undefined && codeList(codes, texts)}
${webauthn !== undefined && webAuthnNotes(texts)}
<form id="kc-form" action="${linkAddress(page.action)}" method="post"${webAuthnAttributes(webauthn)}${polling}>
${webauthn !== undefined && WEBAUTHN_FIELDS}${fields}
<div class="buttons">
<button type="submit" class="button" id="kc-submit"${webauthn !== undefined && focus === undefined && html` autofocus`}>${texts.text(page.submit)}</button>
${cancel !== undefined && html`<button type="submit" class="button secondary" id="kc-cancel" name="cancel-aia" value="true" formnovalidate>${texts.text(cancel)}</button>`}
</div>
</form>
${otherWaysForm(page, texts)}`,
  };
}

/** Allows only the host's own images and `data:` URLs of SVG or PNG. */
function imageAddress(address: string): string {
  return /^data:image\/(svg\+xml|png);base64,[A-Za-z0-9+/=]*$/.test(address) || address.startsWith('/') ? address : '';
}

/** Fields without text input. */
const BOXES: readonly string[] = ['checkbox', 'choice'];

/** The first field in error, else the first empty one. */
function focused({ fields }: FormPage): string | undefined {
  const seen = fields.filter(({ type, readOnly }) => type !== 'hidden' && readOnly !== true);
  const empty = seen.find(({ type, value = '' }) => !BOXES.includes(type) && (type === 'password' || value === ''));
  return (seen.find(({ error }) => error !== undefined) ?? empty)?.name;
}
