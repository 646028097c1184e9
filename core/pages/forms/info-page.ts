import type { Page } from '@keyhost/spi';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

export function infoPage(page: Extract<Page, { page: 'info' }>, texts: Texts): PageBody {
  const heading = texts.text(page.title);
  const { continueUrl, message } = page;
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    showsMessage: true,
    content: html`${message !== undefined && html`<p id="kc-info-message">${texts.text(message)}</p>`}
${continueUrl !== undefined && html`<div class="buttons"><a class="button" id="kc-continue" href="${safeLinkUrl(continueUrl)}">${texts.of('doContinue')}</a></div>`}`,
  };
}
