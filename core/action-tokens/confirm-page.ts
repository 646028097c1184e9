import type { ActionToken, ActionTokenConfirmation } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { PageContent } from '../pages/page-writer.js';

/**
 * The page in front of an action whose handler asks for confirmation: mail scanners open links, people press buttons.
 * The button posts the key; the page's address without it is what stays in the browser's history after that.
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

/** `alice` is shown as `a…e`: enough for the owner, little for anyone else. */
function masked(username: string): string {
  const letters = [...username];
  return letters.length < 3 ? `${letters[0] ?? ''}…` : `${letters[0]}…${letters.at(-1)}`;
}
