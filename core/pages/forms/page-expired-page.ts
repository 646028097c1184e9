import type { Page } from '@keyhost/spi';
import { html } from '../html.js';
import { safeLinkUrl } from '../link-address.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';

export function pageExpiredPage(page: Extract<Page, { page: 'page-expired' }>, texts: Texts): PageBody {
  const heading = texts.of('pageExpiredTitle');
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`<p>${texts.of('pageExpiredText')}</p>
<div class="buttons">
<a class="button" id="loginContinueLink" href="${safeLinkUrl(page.continueUrl)}">${texts.of('doContinue')}</a>
<a class="button secondary" id="loginRestartLink" href="${safeLinkUrl(page.restartUrl)}">${texts.of('restartLoginTooltip')}</a>
</div>`,
  };
}
