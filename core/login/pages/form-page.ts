import type { Page } from '@keyhost/spi';
import type { Texts } from '../messages/texts.js';
import { field } from './field.js';
import { html } from './html.js';
import { linkAddress } from './link-address.js';
import type { PageBody } from './page-body.js';

type FormPage = Extract<Page, { page: 'form' }>;

export function formPage(page: FormPage, texts: Texts): PageBody {
  const heading = texts.text(page.title);
  const { text, cancel } = page;
  const focus = focused(page);
  const fields = page.fields.map(({ label, error, ...rest }) =>
    field(texts, {
      ...rest,
      label: texts.text(label),
      error: error && texts.text(error),
      autofocus: focus === rest.name,
      checked: rest.type === 'checkbox' && rest.value === 'on',
    }),
  );
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`${text !== undefined && html`<p id="kc-form-text">${texts.text(text)}</p>`}
<form id="kc-form" method="post" action="${linkAddress(page.action)}">
${fields}
<div class="buttons">
<button type="submit" class="button" id="kc-submit">${texts.text(page.submit)}</button>
${cancel !== undefined && html`<button type="submit" class="button secondary" id="kc-cancel" name="cancel-aia" value="true" formnovalidate>${texts.text(cancel)}</button>`}
</div>
</form>`,
  };
}

/** The first field in error, else the first empty one. */
function focused({ fields }: FormPage): string | undefined {
  const seen = fields.filter(({ type }) => type !== 'hidden');
  const empty = seen.find(({ type, value = '' }) => type !== 'checkbox' && (type === 'password' || value === ''));
  return (seen.find(({ error }) => error !== undefined) ?? empty)?.name;
}
