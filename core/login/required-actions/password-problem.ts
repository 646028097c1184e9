import type { Message } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { codeOf } from '../../model/thrown.js';
import { PasswordRefusedError } from '../../users/passwords/password-change.js';
import { MAX_PASSWORD_LENGTH } from '../../users/passwords/password-hasher.js';
import { PasswordsUnavailableError } from '../../users/passwords/passwords.js';

/** The message to show if a password was rejected or could not be hashed in time; undefined for any other error. */
export function passwordProblem(error: unknown): Message | undefined {
  if (error instanceof PasswordRefusedError) {
    const { message, parameters, texts } = error.violation;
    return { key: message, params: parameters.map(String), ...defined({ texts }) };
  }
  // Too many passwords are waiting for hashing. The user can try again.
  if (error instanceof PasswordsUnavailableError) return { key: 'passwordUnavailableMessage' };
  const isTooLong = codeOf(error) === 'password_too_long';
  return isTooLong ? { key: 'invalidPasswordMaxLengthMessage', params: [String(MAX_PASSWORD_LENGTH)] } : undefined;
}
