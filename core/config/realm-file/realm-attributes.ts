import { IMPERSONATED_SESSION_LIFESPAN } from '../../model/realm.js';
import { REQUEST_LIMITS } from '../../model/request-limits.js';
import type { Complain } from './realm-names.js';

interface AttributeRule {
  readonly pattern: RegExp;
  readonly message: string;
}

const SECONDS: AttributeRule = { pattern: /^\d{0,10}$/, message: 'must be a number of seconds in double quotes' };
const REQUESTS: AttributeRule = {
  pattern: /^\d{0,10}$/,
  message: 'must be a number of requests per second in double quotes',
};

/** The attributes of a realm that must be numbers. */
const RULES: Readonly<Record<string, AttributeRule>> = {
  ...Object.fromEntries(Object.keys(REQUEST_LIMITS).map((name) => [name, REQUESTS])),
  [IMPERSONATED_SESSION_LIFESPAN]: SECONDS,
  /** With -1 nothing expires, as with 0. */
  adminEventsExpiration: { ...SECONDS, pattern: /^(-1|\d{0,10})$/ },
  /**
   * Keycloak also stores values below 1, and then responds to every pushed authorization request with status 500. An
   * empty string means the default.
   */
  parRequestUriLifespan: {
    pattern: /^(?!0+$)\d{0,10}$/,
    message: 'must be a number of seconds in double quotes, 1 or more',
  },
};

export function checkRealmAttributes(attributes: Readonly<Record<string, string>>, complain: Complain): void {
  for (const [name, value] of Object.entries(attributes)) {
    const rule = Object.hasOwn(RULES, name)
      ? RULES[name]
      : name.startsWith('actionTokenGeneratedByUserLifespan.')
        ? SECONDS
        : undefined;
    if (rule !== undefined && !rule.pattern.test(value)) complain(['attributes', name], rule.message);
  }
}
