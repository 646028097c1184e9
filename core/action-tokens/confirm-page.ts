import type { ActionToken, ActionTokenConfirmation } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { PageContent } from '../pages/page-writer.js';

/**
 * The confirmation page before an action, because mail scanners open links but do not press buttons. The button posts
 * the key, so that the browser's history only contains the URL without it.
 */
export function confirmPage(
  realm: Realm,
  {
    key,
    token,
    username,
    words,
  }: { key: string; token: ActionToken; username: string; words: ActionTokenConfirmation | true },
): PageContent {
  const application = token.claims['app-id'];
  const account = masked(username);
  return {
    page: 'confirm',
    title: { key: 'actionTokenConfirmTitle' },
    text:
      typeof application === 'string'
        ? { key: 'actionTokenConfirmForApplicationText', params: [account, application] }
        : { key: 'actionTokenConfirmText', params: [account] },
    ...(words === true ? {} : words),
    submit: { key: 'doContinue' },
    submitName: 'proceed',
    action: `${new URL(realm.issuer).pathname}/login-actions/action-token`,
    fields: [['key', key]],
  };
}

/** Shows `alice` as `a…e`: recognisable for the owner only. */
function masked(username: string): string {
  const letters = [...username];
  return letters.length < 3 ? `${letters[0] ?? ''}…` : `${letters[0]}…${letters.at(-1)}`;
}
