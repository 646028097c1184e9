import type { ConsentedScope, Page, PageFrame } from '@keyhost/spi';
import { type Html, html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import type { PageBody } from '../page-body.js';
import { safeLinkUrl } from '../safe-link-url.js';

export function consentPage(page: Extract<Page, { page: 'consent' }>, texts: Texts): PageBody {
  const { scopes, userCode, username } = page;
  const heading = texts.of('oauthGrantTitle', page.client?.name ?? '');
  const items = scopes.map((scope) => renderScope(scope, texts));
  return {
    title: texts.of('pageTitle', heading, page.realm.displayName),
    heading,
    logo: page.client?.logoUri,
    subtitle: username === undefined ? undefined : texts.of('signedInAs', username),
    content: html`<div id="kc-oauth">
${
  userCode !== undefined &&
  html`<p>${texts.of('oauth2DeviceCompareUserCode')}</p>
<p class="user-code" id="kc-user-code">${userCode}</p>
<p>${texts.of('oauth2DeviceRefuseUnknown')}</p>`
}
${
  scopes.length > 0 &&
  html`<p id="kc-oauth-request">${texts.of('oauthGrantRequest')}</p>
<ul class="scopes" aria-labelledby="kc-oauth-request">${items}</ul>`
}
${renderClientLinks(page, texts)}
<form id="kc-consent" action="${safeLinkUrl(page.action)}" method="post">
<div class="buttons">
<input type="submit" class="button" id="kc-login" name="accept" value="${texts.of('doAllow')}">
<input type="submit" class="button secondary" id="kc-cancel" name="cancel" value="${texts.of('doNotAllow')}">
</div>
</form>
</div>`,
  };
}

function renderScope({ description, ...name }: ConsentedScope, texts: Texts): Html {
  const help = description === undefined ? '' : texts.text(description);
  return html`<li><span>${texts.text(name)}</span>${help !== '' && html`<span class="scope-help">${help}</span>`}</li>`;
}

/** Links to the application's policy and terms. They open in a new tab, so that the user stays in the login. */
function renderClientLinks({ client }: PageFrame, texts: Texts): Html | undefined {
  const { name = '', policyUri, tosUri } = client ?? {};
  if (policyUri === undefined && tosUri === undefined) return undefined;
  const link = (id: string, address: string | undefined, text: string) =>
    address !== undefined &&
    html`<li><a id="${id}" href="${safeLinkUrl(address)}" target="_blank" rel="noopener noreferrer">${texts.of(text)}</a></li>`;
  return html`<div id="kc-oauth-information"><p>${texts.of('oauthGrantInformation', name)}</p>
<ul class="links">${link('kc-client-tos', tosUri, 'oauthGrantTos')}${link('kc-client-policy', policyUri, 'oauthGrantPolicy')}</ul></div>`;
}
