import type { JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { MESSAGE } from './step-answers.js';
import type { Message } from './theme.js';

/** The declaration of a password policy (Keycloak's PasswordPolicyProviderFactory). */
export interface PasswordPolicyDeclaration extends Pick<Described, 'describe'> {
  /**
   * The JSON Schema, of type `integer` or `string`, of the value in parentheses after the policy's ID in a realm's
   * `passwordPolicy`. Absent if the policy has no value.
   */
  readonly value?: JsonSchema;
  /** The value of a policy that is written without one. Absent if the value is required. */
  readonly defaultValue?: string | number;
}

/** The user who gets the password. */
export interface PasswordOwner {
  /** Absent for a user who is not created yet. */
  readonly id?: string;
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** A new password to check. */
export interface PasswordToCheck {
  /** The password in plain text. Do not store or log it. */
  readonly password: string;
  readonly user: PasswordOwner;
  /** The value of the realm's policy, or its default. */
  readonly value?: string | number;
}

/** Keycloak's PasswordPolicyProvider: a rule for new passwords. */
export interface PasswordPolicyProvider {
  /**
   * Called when a user, an admin or a registration sets a password. If it throws or exceeds its time limit, the
   * password is refused, and the user is asked to try again later.
   * @returns the reason to refuse the password; undefined if it is acceptable
   */
  check(request: PasswordToCheck): Promise<Message | undefined>;
}

/**
 * A term of the realm's `passwordPolicy`, which names it by its ID.
 * @example
 * ```ts
 * import { PasswordPolicy, provide } from '@keyhost/spi';
 *
 * const message = { key: 'noCompanyName', texts: { en: 'The password must not contain the company name' } };
 *
 * export default provide(PasswordPolicy, {
 *   id: 'noCompanyName',
 *   describe: { displayName: 'No company name' },
 *   open: () => ({
 *     create: () => ({
 *       check: async ({ password }) => (password.toLowerCase().includes('example') ? message : undefined),
 *     }),
 *   }),
 * });
 * ```
 */
export const PasswordPolicy = spi<PasswordPolicyDeclaration, PasswordPolicyProvider>({
  id: 'password-policy',
  name: 'PasswordPolicy',
  carries: 'credentials',
  declares: ['describe', 'value', 'defaultValue'],
  describes: DESCRIBES,
  schemas: ({ value }) => ({ value }),
  realm: {
    key: 'passwordPolicy',
    *mentions({ passwordPolicy }) {
      for (const term of String(passwordPolicy ?? '').split(' and ')) {
        const [id = ''] = term.split('(', 1);
        if (id.trim() !== '') yield { id: id.trim(), path: ['passwordPolicy'], enabled: true };
      }
    },
    example: (id) => `"passwordPolicy": "length(12) and ${id}"`,
  },
  methods: { required: ['check'] },
  answers: { check: optional(MESSAGE) },
  check(declaration) {
    checkDescribed(declaration);
    const { value, defaultValue } = declaration as unknown as PasswordPolicyDeclaration;
    if (value !== undefined && value.type !== 'integer' && value.type !== 'string')
      throw new Error('value must be a JSON Schema of type integer or string');
    const type = value?.type === 'integer' ? 'number' : 'string';
    if (defaultValue !== undefined && (value === undefined || typeof defaultValue !== type))
      throw new Error('defaultValue must be what value describes');
  },
});
