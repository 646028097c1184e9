import type { Page } from '@keyhost/spi';
import { html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

/**
 * Renders a page whose frames call the logout URLs of applications. A script continues when all frames have loaded.
 * Without scripts, the user clicks the link.
 */
export function frontchannelLogoutPage(page: Extract<Page, { page: 'frontchannel-logout' }>, texts: Texts): PageBody {
  const heading = texts.of('frontchannel-logout.title');
  const { logouts, continueUrl } = page;
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    content: html`<p id="kc-logout-message">${texts.of('frontchannel-logout.message')}</p>
<ul class="scopes" aria-labelledby="kc-logout-message">${logouts.map(
      ({ name, url }) =>
        html`<li>${texts.name(name)}<iframe class="logout" src="${safeLinkUrl(url)}" title="${texts.name(name)}" hidden></iframe></li>`,
    )}</ul>
${continueUrl !== undefined && html`<div class="buttons"><a class="button" id="kc-continue" href="${safeLinkUrl(continueUrl)}">${texts.of('doContinue')}</a></div>`}`,
  };
}
