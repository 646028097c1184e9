import { isEmailAddress } from '../../model/email-address.js';
import type { Patterns } from '../../model/patterns.js';
import { uriViolation } from './uri-validator.js';

/** A violated rule: Keycloak's message key, and its parameters after the attribute's name. */
export interface ProfileViolation {
  readonly message: string;
  readonly parameters: readonly unknown[];
  /** A plugin's texts by language. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

type Settings = Readonly<Record<string, unknown>>;
type Validator = (value: string, settings: Settings, patterns: Patterns) => ProfileViolation | undefined;

const violation = (message: string, ...parameters: unknown[]): ProfileViolation => ({ message, parameters });
const matchPattern =
  (pattern: RegExp, message: string): Validator =>
  (value, settings) =>
    pattern.test(value) ? undefined : violation(configuredMessage(settings) ?? message);

function configuredMessage(settings: Settings): string | undefined {
  const message = settings['error-message'];
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** A numeric setting, which may be a number or a string. */
function numberSetting(settings: Settings, name: string): number | undefined {
  const value = settings[name];
  return value === undefined || value === null || value === '' ? undefined : Number(value);
}

function checkLength(value: string, settings: Settings): ProfileViolation | undefined {
  const min = numberSetting(settings, 'min');
  const max = numberSetting(settings, 'max');
  const size = (settings['trim-disabled'] === true ? value : value.trim()).length;
  if (size >= (min ?? 0) && size <= (max ?? Number.POSITIVE_INFINITY)) return undefined;
  const key = max === undefined ? 'error-invalid-length-too-short' : 'error-invalid-length-too-long';
  return violation(min !== undefined && max !== undefined ? 'error-invalid-length' : key, min, max);
}

const checkNumber =
  (isNumber: (value: string) => boolean): Validator =>
  (value, settings) => {
    if (!isNumber(value)) return violation('error-invalid-number');
    const min = numberSetting(settings, 'min');
    const max = numberSetting(settings, 'max');
    if (Number(value) >= (min ?? -Infinity) && Number(value) <= (max ?? Infinity)) return undefined;
    const side = max === undefined ? '-too-small' : min === undefined ? '-too-big' : '';
    return violation(`error-number-out-of-range${side}`, min, max);
  };

/** True for a 64-bit integer. */
function isLong(value: string): boolean {
  return /^[+-]?\d{1,40}$/.test(value) && BigInt.asIntN(64, toBigInt(value)) === toBigInt(value);
}

/** Parses an integer. `BigInt` rejects a plus sign. */
function toBigInt(value: string): bigint {
  return BigInt(value.replace('+', ''));
}

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true;
}

/** Keycloak's built-in validators of single values, by ID. */
export const VALUE_VALIDATORS: Readonly<Record<string, Validator>> = {
  length: checkLength,
  email: (value, settings) =>
    isEmailAddress(value, numberSetting(settings, 'max-local-length'))
      ? undefined
      : violation('error-invalid-email', value),
  'username-prohibited-characters': matchPattern(
    /^[^<>&"'\s$%!#?§;*~/\\|^=[\]{}()\p{Cc}]+$/u,
    'error-username-invalid-character',
  ),
  'up-username-not-idn-homograph': matchPattern(
    /^[\p{Script=Latin}\p{Script=Common}]+$/u,
    'error-username-invalid-character',
  ),
  'person-name-prohibited-characters': matchPattern(
    /^[^<>&"$%!#?§;*~/\\|^=[\]{}()\p{Cc}]+$/u,
    'error-person-name-invalid-character',
  ),
  pattern(value, settings, patterns) {
    const { pattern } = settings;
    // A pattern that RE2 does not support, such as a Java-only expression, matches nothing.
    const matches = typeof pattern === 'string' && patterns.matches(pattern, value) === true;
    return matches ? undefined : violation(configuredMessage(settings) ?? 'error-pattern-no-match', pattern);
  },
  'not-blank': (value) => (value.trim() === '' ? violation('error-invalid-blank', value) : undefined),
  'not-empty': (value) => (value === '' ? violation('error-empty', value) : undefined),
  integer: checkNumber(isLong),
  double: checkNumber((value) => /^[+-]?(\d{1,40}\.?\d{0,40}|\.\d{1,40})(e[+-]?\d{1,3})?$/i.test(value)),
  uri: uriViolation,
  options: (value, { options }) =>
    Array.isArray(options) && options.includes(value) ? undefined : violation('error-invalid-value', value),
  'iso-date': (value) => (isDate(value) ? undefined : violation('error-invalid-date', value)),
  'local-date': matchPattern(/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/, 'error-invalid-date'),
};

/** IDs of validators that apply to all values together. */
export const OTHER_VALIDATORS: readonly string[] = ['multivalued'];

/** Checks the number of values; the default maximum is one unless the attribute is multivalued. */
export function sizeViolation(values: readonly string[], settings: Settings | undefined, isMultivalued: boolean) {
  const max = numberSetting(settings ?? {}, 'max') ?? (isMultivalued ? undefined : 1);
  const min = numberSetting(settings ?? {}, 'min');
  if (values.length <= (max ?? Number.POSITIVE_INFINITY) && values.length >= (min ?? 0)) return undefined;
  return violation('error-invalid-multivalued-size', min, max);
}
