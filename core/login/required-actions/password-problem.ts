import type { Message } from '@keyhost/spi';
import { codeOf } from '../../model/thrown.js';
import { MAX_PASSWORD_LENGTH } from '../../users/passwords/password.js';
import { PasswordRefused } from '../../users/passwords/password-change.js';

/** What the page says of a password that cannot be one; undefined for any other failure. */
export function passwordProblem(error: unknown): Message | undefined {
  if (error instanceof PasswordRefused) {
    return { key: error.violation.message, params: error.violation.parameters.map(String) };
  }
  const isLong = codeOf(error) === 'password_too_long';
  return isLong ? { key: 'invalidPasswordMaxLengthMessage', params: [String(MAX_PASSWORD_LENGTH)] } : undefined;
}
