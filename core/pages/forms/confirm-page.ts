import type { Page } from '@keyhost/spi';
import { hiddenFields } from '../field.js';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

export function confirmPage(page: Extract<Page, { page: 'confirm' }>, texts: Texts): PageBody {
  const heading = texts.text(page.title);
  // The button's ID on Keycloak's logout page.
  const id = page.submitName === 'confirmLogout' ? 'kc-logout' : `kc-${page.submitName}`;
  const buttons =
    page.choices === undefined
      ? html`<button type="submit" class="button" id="${id}" name="${page.submitName}">${texts.text(page.submit)}</button>`
      : page.choices.map(
          ({ value, label }) =>
            html`<button type="submit" class="button secondary" name="choice" value="${value}">${texts.text(label)}</button>`,
        );
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`<p id="kc-confirm-text">${texts.text(page.text)}</p>
${page.items !== undefined && html`<ul class="scopes" aria-labelledby="kc-confirm-text">${page.items.map((item) => html`<li>${texts.text(item)}</li>`)}</ul>`}
<form id="kc-form-confirm" action="${safeLinkUrl(page.action)}" method="post">${hiddenFields(page.fields)}
<div class="buttons${page.choices !== undefined && ' choices'}">${buttons}</div>
</form>`,
  };
}
