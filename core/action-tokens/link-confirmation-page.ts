import type { ActionToken, ActionTokenConfirmation } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { PageContent } from '../pages/page-writer.js';

/**
 * The confirmation page before an action, because mail scanners open links but do not press buttons. Its form posts the
 * token to a URL without a token, so that the resulting page does not add the token to the browser's history.
 */
export function linkConfirmationPage(
  realm: Realm,
  {
    key,
    token,
    username,
    confirmation,
  }: { key: string; token: ActionToken; username: string; confirmation: ActionTokenConfirmation | true },
): PageContent {
  const application = token.claims['app-id'];
  const account = maskUsername(username);
  return {
    page: 'confirm',
    title: { key: 'actionTokenConfirmTitle' },
    text:
      typeof application === 'string'
        ? { key: 'actionTokenConfirmForApplicationText', params: [account, application] }
        : { key: 'actionTokenConfirmText', params: [account] },
    ...(confirmation === true ? {} : confirmation),
    submit: { key: 'doContinue' },
    submitName: 'proceed',
    action: `${new URL(realm.issuer).pathname}/login-actions/action-token`,
    fields: [['key', key]],
  };
}

/** Shows `alice` as `a…e`: recognisable for the owner only. */
function maskUsername(username: string): string {
  const letters = [...username];
  return letters.length < 3 ? `${letters[0] ?? ''}…` : `${letters[0]}…${letters.at(-1)}`;
}
