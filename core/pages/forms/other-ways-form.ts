import type { Page } from '@keyhost/spi';
import { type Html, html } from '../html.js';
import type { Texts } from '../messages/texts.js';
import { safeLinkUrl } from '../safe-link-url.js';

/** Renders a button for each alternative step; undefined if there is none. */
export function renderOtherWays(page: Extract<Page, { page: 'login' | 'form' }>, texts: Texts): Html | undefined {
  const { otherWays = [], action } = page;
  if (otherWays.length === 0) return undefined;
  const buttons = otherWays.map(
    ({ execution, label }) =>
      html`<button type="submit" class="button secondary" name="authenticationExecution" value="${execution}">${texts.text(label)}</button>`,
  );
  return html`<form id="kc-select-try-another-way-form" action="${safeLinkUrl(action)}" method="post">
<p>${texts.of('doTryAnotherWay')}</p>
<div class="buttons">${buttons}</div>
</form>`;
}
