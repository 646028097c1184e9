import { defined } from '../../model/defined.js';

/** The terms of a password policy that this host follows: id, name, what its value is, and its default. */
const TERMS: readonly (readonly [string, string, 'int' | 'String' | undefined, string | undefined])[] = [
  ['length', 'Minimum Length', 'int', '8'],
  ['maxLength', 'Maximum Length', 'int', '64'],
  ['digits', 'Digits', 'int', '1'],
  ['lowerCase', 'Lowercase Characters', 'int', '1'],
  ['upperCase', 'Uppercase Characters', 'int', '1'],
  ['specialChars', 'Special Characters', 'int', '1'],
  ['notUsername', 'Not Username', undefined, undefined],
  ['notEmail', 'Not Email', undefined, undefined],
  ['notContainsUsername', 'Not Contains Username', undefined, undefined],
  ['regexPattern', 'Regular Expression', 'String', undefined],
  ['passwordHistory', 'Not Recently Used', 'int', '3'],
  ['passwordAge', 'Not Recently Used (In Days)', 'int', '30'],
  ['forceExpiredPasswordChange', 'Expire Password', 'int', '365'],
  ['hashIterations', 'Hashing Iterations', 'int', '-1'],
  ['hashAlgorithm', 'Hashing Algorithm', 'String', 'argon2'],
  ['maxAuthAge', 'Maximum Authentication Age', 'int', '300'],
];

/** Keycloak's PasswordPolicyTypeRepresentation of each. */
export const PASSWORD_POLICY_TYPES = TERMS.map(([id, displayName, configType, defaultValue]) => ({
  id,
  displayName,
  multipleSupported: id === 'regexPattern',
  ...defined({ configType, defaultValue }),
}));
