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

const WEBAUTHN = ['webAuthnPolicy', 'webAuthnPolicyPasswordless'].flatMap((policy) => [
  setting(`${policy}RpId`, 'passkeys belong to the host name of the server'),
  setting(`${policy}AttestationConveyancePreference`, 'browsers decide'),
  setting(`${policy}AuthenticatorAttachment`, 'browsers decide'),
  setting(`${policy}RequireResidentKey`, 'browsers decide'),
  setting(`${policy}ResidentKey`, 'browsers decide'),
  setting(`${policy}UserVerificationRequirement`, 'browsers decide'),
  setting(`${policy}CreateTimeout`, 'browsers decide'),
  algorithms(`${policy}SignatureAlgorithms`),
]);

/** Settings of a realm that Keycloak stores without checking them. */
export const SETTING_RULES: readonly StaleRule[] = [
  ...WEBAUTHN,
  setting('otpPolicyType', 'the default is used'),
  setting('otpPolicyAlgorithm', 'the default is used'),
  setting('otpPolicyDigits', 'the default is used'),
  setting('otpPolicyPeriod', 'the default is used'),
  setting('otpPolicyLookAheadWindow', 'the default is used'),
  setting('defaultSignatureAlgorithm', 'the default is used'),
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

/** A setting that is removed if its schema does not admit the value. */
function setting(name: string, instead: string): StaleRule {
  const schema = schemaOf(name);
  return {
    at: [name],
    read(value) {
      const message = misfit(schema, value);
      return message === undefined ? undefined : { message: `is left out: it ${message}; ${instead}` };
    },
  };
}

/** A list from which algorithms are removed that Keyhost does not support. */
function algorithms(name: string): StaleRule {
  const { items = {} } = schemaOf(name);
  return {
    at: [name],
    read(value) {
      if (!Array.isArray(value)) return undefined;
      const unknownItems = value.filter((one) => misfit(items, one) !== undefined);
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

/** @returns the fault of a value of the right type; undefined if it is valid, or nearly a known word */
function misfit(schema: PlainSchema, value: unknown): string | undefined {
  const { enum: words, pattern, mustBe, minimum = -Infinity, maximum = Infinity } = schema;
  if (typeof value === 'number') {
    if (words !== undefined) return words.includes(value) ? undefined : `must be one of ${words.join(', ')}`;
    if (value < minimum) return `must be at least ${minimum}`;
    return value > maximum ? `must be at most ${maximum}` : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (pattern !== undefined) return new RegExp(pattern).test(value) ? undefined : `must be ${mustBe}`;
  if (words === undefined || words.includes(value)) return undefined;
  const knownWords = words.filter((word) => word !== '').map(String);
  if (!UNSUPPORTED_ALGORITHMS.includes(value) && didYouMean(value, knownWords, MAX_SUGGESTIONS) !== undefined)
    return undefined;
  return `must be one of ${knownWords.join(', ')}`;
}
