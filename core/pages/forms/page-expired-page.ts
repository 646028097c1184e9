import type { Page } from '@keyhost/spi';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

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
