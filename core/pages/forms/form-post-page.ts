import type { Page } from '@keyhost/spi';
import { hiddenFields } from '../field.js';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

/** Renders a form that the page's script submits at once. Without scripts, the user clicks the button. */
export function formPostPage(page: Extract<Page, { page: 'form-post' }>, texts: Texts): PageBody {
  const heading = texts.of('saml.post-form.title');
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`<p>${texts.of('saml.post-form.message')}</p>
<form id="kc-form-post" action="${safeLinkUrl(page.action)}" method="post" autocomplete="off">${hiddenFields(page.fields)}
<div class="buttons"><button type="submit" class="button" id="kc-continue">${texts.of('doContinue')}</button></div>
</form>`,
  };
}
