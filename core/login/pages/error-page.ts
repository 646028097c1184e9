import type { Page } from '@keyhost/spi';
import type { Texts } from '../messages/texts.js';
import { html } from './html.js';
import { linkAddress } from './link-address.js';
import type { PageBody } from './page-body.js';

export function errorPage(page: Extract<Page, { page: 'error' }>, texts: Texts): PageBody {
  const heading = texts.of('errorTitle');
  const { backUrl, message = { key: 'internalServerError' } } = page;
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    showsMessage: true,
    content: html`<p id="kc-error-message">${texts.text(message)}</p>
${backUrl !== undefined && html`<div class="buttons"><a class="button" id="backToApplication" href="${linkAddress(backUrl)}">${texts.of('backToApplication')}</a></div>`}`,
  };
}
