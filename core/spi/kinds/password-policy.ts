import type { JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { MESSAGE } from './step-answers.js';
import type { Message } from './theme.js';

/** What a password policy declares (Keycloak's PasswordPolicyProviderFactory). */
export interface PasswordPolicyDeclaration extends Pick<Described, 'describe'> {
  /**
   * What stands in parentheses behind its ID in a realm's `passwordPolicy`: a JSON Schema of type `integer` or `string`, such as
   * `{ type: 'integer', minimum: 1 }`. Absent: the policy takes no value.
   */
  readonly value?: JsonSchema;
  /** What a policy without a value has. Absent: the value is required. */
  readonly defaultValue?: string | number;
}

/** Whose password it is to be. */
export interface PasswordOwner {
  /** Absent for a user who is about to be created. */
  readonly id?: string;
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** A new password that is to be judged. */
export interface PasswordToCheck {
  /** As the user typed it. Keep it nowhere, and log it nowhere. */
  readonly password: string;
  readonly user: PasswordOwner;
  /** The value of the realm's policy, or its default. */
  readonly value?: string | number;
}

/** Keycloak's PasswordPolicyProvider: a rule for new passwords. */
export interface PasswordPolicyProvider {
  /**
   * Called when a user, an admin or a registration sets a password.
   * @returns why the password is refused; undefined: it keeps the rule. If it throws or answers too late, the password is refused,
   *   and the user is told to try again later.
   */
  check(request: PasswordToCheck): Promise<Message | undefined>;
}

/** A term of the realm's `passwordPolicy`, which names it by its ID. */
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
