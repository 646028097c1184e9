import { didYouMean } from '../../did-you-mean.js';
import { LEVEL_NAMES } from '../level-names.js';
import { REALM_SCHEMA } from '../schema/realm-schema.js';
import type { StaleRule } from './rule.js';

interface PlainSchema {
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly mustBe?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: PlainSchema;
}

const MAX_SUGGESTIONS = 4;
/** Signature algorithms of Keycloak that Keyhost does not support as the default of a realm. */
const UNSUPPORTED_ALGORITHMS = ['HS256', 'HS384', 'HS512'];

const WEBAUTHN_RULES = ['webAuthnPolicy', 'webAuthnPolicyPasswordless'].flatMap((policy) => [
  settingRule(`${policy}RpId`, 'passkeys belong to the host name of the server'),
  settingRule(`${policy}AttestationConveyancePreference`, 'browsers decide'),
  settingRule(`${policy}AuthenticatorAttachment`, 'browsers decide'),
  settingRule(`${policy}RequireResidentKey`, 'browsers decide'),
  settingRule(`${policy}ResidentKey`, 'browsers decide'),
  settingRule(`${policy}UserVerificationRequirement`, 'browsers decide'),
  settingRule(`${policy}CreateTimeout`, 'browsers decide'),
  algorithmListRule(`${policy}SignatureAlgorithms`),
]);

/** Rules for settings that Keycloak stores without checking them. */
export const SETTING_RULES: readonly StaleRule[] = [
  ...WEBAUTHN_RULES,
  settingRule('otpPolicyType', 'the default is used'),
  settingRule('otpPolicyAlgorithm', 'the default is used'),
  settingRule('otpPolicyDigits', 'the default is used'),
  settingRule('otpPolicyPeriod', 'the default is used'),
  settingRule('otpPolicyLookAheadWindow', 'the default is used'),
  settingRule('defaultSignatureAlgorithm', 'the default is used'),
  {
    at: ['attributes', LEVEL_NAMES],
    // The console of Keycloak 19 stored this for “no levels”.
    read: (value) => (isEmptyList(value) ? { message: 'is left out: it must be a JSON object' } : undefined),
  },
  {
    at: ['clients', '*'],
    read(value) {
      const { clientId, id } = (value ?? {}) as { readonly clientId?: unknown; readonly id?: unknown };
      if (clientId !== undefined || typeof id !== 'string' || id === '') return undefined;
      return { to: { ...(value as object), clientId: id }, message: 'has no clientId: its id is used' };
    },
  },
];

function isEmptyList(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\[\s*\]\s*$/.test(value);
}

/** A rule that removes a setting if its schema does not admit the value. */
function settingRule(name: string, consequence: string): StaleRule {
  const schema = schemaOf(name);
  return {
    at: [name],
    read(value) {
      const message = brokenRequirement(schema, value);
      return message === undefined ? undefined : { message: `is left out: it ${message}; ${consequence}` };
    },
  };
}

/** A rule that removes unsupported algorithms from a list. */
function algorithmListRule(name: string): StaleRule {
  const { items = {} } = schemaOf(name);
  return {
    at: [name],
    read(value) {
      if (!Array.isArray(value)) return undefined;
      const unknownItems = value.filter((one) => brokenRequirement(items, one) !== undefined);
      if (unknownItems.length === 0) return undefined;
      const to = value.filter((one) => !unknownItems.includes(one));
      const message = `contains algorithms that are not supported and are left out: ${unknownItems.join(', ')}`;
      return to.length === 0 ? { message: `${message}; the default is used` } : { to, message };
    },
  };
}

function schemaOf(name: string): PlainSchema {
  return (REALM_SCHEMA.properties as Readonly<Record<string, PlainSchema>>)[name] ?? {};
}

/**
 * @returns the requirement that a string or a number does not meet. Undefined if it is valid, or resembles a valid
 * word: then the check of the schema reports it.
 */
function brokenRequirement(schema: PlainSchema, value: unknown): string | undefined {
  const { enum: allowedValues, pattern, mustBe, minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === 'number') {
    if (allowedValues !== undefined)
      return allowedValues.includes(value) ? undefined : `must be one of ${allowedValues.join(', ')}`;
    if (value < minimum) return `must be at least ${minimum}`;
    return value > maximum ? `must be at most ${maximum}` : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (pattern !== undefined) return new RegExp(pattern).test(value) ? undefined : `must be ${mustBe}`;
  if (allowedValues === undefined || allowedValues.includes(value)) return undefined;
  const knownWords = allowedValues.filter((word) => word !== '').map(String);
  if (!UNSUPPORTED_ALGORITHMS.includes(value) && didYouMean(value, knownWords, MAX_SUGGESTIONS) !== undefined)
    return undefined;
  return `must be one of ${knownWords.join(', ')}`;
}
