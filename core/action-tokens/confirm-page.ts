import type { ActionToken } from '@keyhost/spi';
import type { Context } from 'koa';
import { escapeHtml, renderPage } from '../http/page.js';

/**
 * The page in front of an action whose handler asks for confirmation: mail scanners open links, people press buttons.
 * The button posts the key; the page's address without it is what stays in the browser's history after that.
 */
export function renderConfirmPage(
  ctx: Context,
  { key, token, username, realm }: { key: string; token: ActionToken; username: string; realm: string },
): void {
  const application = token.claims['app-id'];
  const forWhat = typeof application === 'string' ? ` for application <strong>${escapeHtml(application)}</strong>` : '';
  renderPage(
    ctx,
    200,
    `Continue – ${realm}`,
    `<h1>${escapeHtml(realm)}</h1>
<p>You opened a link${forWhat}, made for the account <strong>${escapeHtml(masked(username))}</strong>.</p>
<form method="post" action="?">
<input type="hidden" name="key" value="${escapeHtml(key)}">
<button type="submit" id="kc-proceed">Continue</button>
</form>`,
  );
}

/** `alice` is shown as `a…e`: enough for the owner, little for anyone else. */
function masked(username: string): string {
  const letters = [...username];
  return letters.length < 3 ? `${letters[0] ?? ''}…` : `${letters[0]}…${letters.at(-1)}`;
}
