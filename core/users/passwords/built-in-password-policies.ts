import { PasswordPolicy, type PasswordToCheck, type Plugin, provide } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { Patterns } from '../../model/patterns.js';
import type { PasswordBlacklists } from './password-blacklists.js';

/** The violation of a rule, as part of Keycloak's message key; undefined if the password complies. */
type Violation = { readonly name: string; readonly parameter?: string | number } | undefined;
interface RuleServices {
  readonly patterns: Patterns;
  readonly blacklists: PasswordBlacklists;
}
type Rule = (request: PasswordToCheck, services: RuleServices) => Violation | Promise<Violation>;

/** A term of Keycloak's password policies. */
export interface BuiltInPasswordPolicy {
  readonly displayName: string;
  /** The type of its value; absent: it has none. */
  readonly value?: { readonly type: 'integer' | 'string'; readonly minimum?: number };
  readonly defaultValue?: number | string;
  /** Absent if the term only affects how a password is set or verified, not its text. */
  readonly rule?: Rule;
}

const countSetting = (defaultValue: number, minimum = 0) =>
  ({ value: { type: 'integer', minimum }, defaultValue }) as const;
const limitOf = (request: PasswordToCheck) => Number(request.value);
const requireAtLeast =
  (name: string, characters: RegExp): Rule =>
  (request) =>
    (request.password.match(characters)?.length ?? 0) < limitOf(request)
      ? { name, parameter: limitOf(request) }
      : undefined;
const isSameText = (a: string, b: string | undefined) => a.toLowerCase() === b?.toLowerCase();

/** Keycloak's password policies by ID, with its names and defaults. */
export const BUILT_IN_PASSWORD_POLICIES: Readonly<Record<string, BuiltInPasswordPolicy>> = {
  length: {
    displayName: 'Minimum Length',
    ...countSetting(8),
    rule: (request) =>
      request.password.length < limitOf(request) ? { name: 'MinLength', parameter: limitOf(request) } : undefined,
  },
  maxLength: {
    displayName: 'Maximum Length',
    ...countSetting(64),
    rule: (request) =>
      request.password.length > limitOf(request) ? { name: 'MaxLength', parameter: limitOf(request) } : undefined,
  },
  digits: { displayName: 'Digits', ...countSetting(1), rule: requireAtLeast('MinDigits', /\p{Nd}/gu) },
  lowerCase: {
    displayName: 'Lowercase Characters',
    ...countSetting(1),
    rule: requireAtLeast('MinLowerCaseChars', /\p{Lowercase}/gu),
  },
  upperCase: {
    displayName: 'Uppercase Characters',
    ...countSetting(1),
    rule: requireAtLeast('MinUpperCaseChars', /\p{Uppercase}/gu),
  },
  specialChars: {
    displayName: 'Special Characters',
    ...countSetting(1),
    rule: requireAtLeast('MinSpecialChars', /[^\p{L}\p{Nd}]/gu),
  },
  notUsername: {
    displayName: 'Not Username',
    rule: ({ password, user }) => (isSameText(password, user.username) ? { name: 'NotUsername' } : undefined),
  },
  notEmail: {
    displayName: 'Not Email',
    rule: ({ password, user }) => (isSameText(password, user.email) ? { name: 'NotEmail' } : undefined),
  },
  notContainsUsername: {
    displayName: 'Not Contains Username',
    rule: ({ password, user: { username = '' } }) =>
      username !== '' && password.toLowerCase().includes(username.toLowerCase())
        ? { name: 'NotContainsUsername' }
        : undefined,
  },
  regexPattern: {
    displayName: 'Regular Expression',
    value: { type: 'string' },
    rule: ({ password, value }, { patterns }) =>
      patterns.matches(String(value), password) === true
        ? undefined
        : { name: 'RegexPattern', parameter: String(value) },
  },
  passwordBlacklist: {
    displayName: 'Password Blacklist',
    value: { type: 'string' },
    rule: async ({ password, value }, { blacklists }) =>
      (await blacklists.has(String(value), password)) ? { name: 'Blacklisted' } : undefined,
  },
  passwordHistory: { displayName: 'Not Recently Used', ...countSetting(3) },
  passwordAge: { displayName: 'Not Recently Used (In Days)', ...countSetting(30) },
  forceExpiredPasswordChange: { displayName: 'Expire Password', ...countSetting(365) },
  hashIterations: { displayName: 'Hashing Iterations', ...countSetting(-1, -1) },
  hashAlgorithm: { displayName: 'Hashing Algorithm', value: { type: 'string' }, defaultValue: 'argon2' },
  recoveryCodesWarningThreshold: { displayName: 'Recovery Codes Warning Threshold', ...countSetting(4, -1) },
  maxAuthAge: { displayName: 'Maximum Authentication Age', ...countSetting(300) },
};

/** The built-in password policies as providers. */
export function builtInPasswordPolicies(blacklists: PasswordBlacklists): Plugin {
  return {
    name: 'keyhost-password-policies',
    api: 1,
    providers: Object.entries(BUILT_IN_PASSWORD_POLICIES).map(([id, { displayName, value, defaultValue, rule }]) =>
      provide(PasswordPolicy, {
        id,
        describe: { displayName },
        ...defined({ value, defaultValue }),
        open: () => ({
          create: ({ realm }) => ({
            async check(request) {
              const violation = await rule?.(request, { patterns: new Patterns(realm.name), blacklists });
              if (violation === undefined) return undefined;
              const params = violation.parameter === undefined ? [] : [String(violation.parameter)];
              return { key: `invalidPassword${violation.name}Message`, params };
            },
          }),
        }),
      }),
    ),
  };
}
