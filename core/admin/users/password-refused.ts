import { HostError } from '@keyhost/spi';
import { formatMessage } from '../../model/filled-text.js';
import { PasswordRefusedError } from '../../users/passwords/password-change.js';
import { AdminError } from '../admin.js';

/** Keycloak's English texts for the message keys of its password policies. `{0}` is the number in the rule. */
const TEXTS: Readonly<Record<string, string>> = {
  invalidPasswordMinLengthMessage: 'Invalid password: minimum length {0}.',
  invalidPasswordMaxLengthMessage: 'Invalid password: maximum length {0}.',
  invalidPasswordMinDigitsMessage: 'Invalid password: must contain at least {0} numerical digits.',
  invalidPasswordMinLowerCaseCharsMessage: 'Invalid password: must contain at least {0} lower case characters.',
  invalidPasswordMinUpperCaseCharsMessage: 'Invalid password: must contain at least {0} upper case characters.',
  invalidPasswordMinSpecialCharsMessage: 'Invalid password: must contain at least {0} special characters.',
  invalidPasswordNotUsernameMessage: 'Invalid password: must not be equal to the username.',
  invalidPasswordNotContainsUsernameMessage: 'Invalid password: Can not contain the username.',
  invalidPasswordNotEmailMessage: 'Invalid password: must not be equal to the email.',
  invalidPasswordRegexPatternMessage: 'Invalid password: fails to match regex pattern(s).',
  invalidPasswordBlacklistedMessage: 'Invalid password: password is not allowed.',
  invalidPasswordHistoryMessage: 'Invalid password: must not be equal to any of last {0} passwords.',
};

/** Converts an error for a rejected password to Keycloak's error. Other errors are returned unchanged. */
export function toPasswordError(error: unknown): unknown {
  if (error instanceof PasswordRefusedError) {
    return new AdminError(400, { error: error.violation.message, error_description: describeRefusal(error) });
  }
  if (error instanceof HostError && error.code === 'password_too_long') {
    return new AdminError(400, { error: 'invalidPasswordMaxLengthMessage', error_description: error.message });
  }
  return error;
}

/** Keycloak's English text for a rejected password. */
export function describeRefusal({ violation: { message, parameters, texts } }: PasswordRefusedError): string {
  const text = TEXTS[message] ?? texts?.en ?? 'Invalid password: new password does not match password policies.';
  return formatMessage(text, parameters.map(String));
}
