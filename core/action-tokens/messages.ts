/** English texts of Keycloak's message keys (login theme), as far as action tokens show them. */
const MESSAGES: Readonly<Record<string, string>> = {
  invalidRequestMessage: 'Invalid Request',
  invalidCodeMessage: 'An error occurred, please login again through your application.',
  expiredActionMessage: 'Action expired. Please continue with login now.',
  expiredActionTokenNoSessionMessage: 'Action expired.',
  realmNotEnabledMessage: 'Realm not enabled',
  httpsRequiredMessage: 'HTTPS required',
  invalidUserMessage: 'Invalid username or password.',
  accountDisabledMessage: 'Account is disabled, contact your administrator.',
  unknownLoginRequesterMessage: 'Unknown login requester',
  loginRequesterNotEnabledMessage: 'Login requester not enabled',
  staleCodeMessage: 'This page is no longer valid, please go back to your application and sign in again',
  internalServerError: 'An internal server error has occurred',
};

/** The text of a message key; a text that is no key is shown as it is. */
export function messageText(key: string): string {
  return (Object.hasOwn(MESSAGES, key) ? MESSAGES[key] : undefined) ?? key;
}
