import type { Json } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { MESSAGE } from './step-answers.js';
import type { Message } from './theme.js';

/** The form or API that sets the values (Keycloak's UserProfileContext). */
export type UserProfileContext =
  /** An admin, or a plugin. */
  | 'USER_API'
  /** Users themselves, on their account page or by the Account REST API. */
  | 'ACCOUNT'
  /** The required actions `UPDATE_PROFILE` and `VERIFY_PROFILE`. */
  | 'UPDATE_PROFILE'
  | 'REGISTRATION'
  /** The first sign-in by an identity provider. */
  | 'IDP_REVIEW'
  /** The required action `UPDATE_EMAIL`. */
  | 'UPDATE_EMAIL';

/** The values of one attribute to check. `C` is the type of `settings`. */
export interface ValuesToCheck<C = Readonly<Record<string, Json>>> {
  /** `username`, `email`, `firstName` and `lastName` are attributes, too. */
  readonly attribute: string;
  /** At least one. */
  readonly values: readonly string[];
  /** All attributes of the profile, with the new values. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** The settings of this use in the realm's user profile, checked by `settings`, with its defaults. */
  readonly config: C;
  /** The user as stored; absent for a user who is not created yet. */
  readonly user?: UserView;
  /** The form or API that sets the values. */
  readonly context: UserProfileContext;
}

/** Keycloak's Validator: a rule for the values of attributes. */
export interface ValidatorProvider<C = Readonly<Record<string, Json>>> {
  /**
   * Checks the values of an attribute before they are stored. It is not called for an attribute without values: for
   * these, the profile has `required`. If it throws or exceeds its time limit, nothing is stored, and the user is asked
   * to try again later.
   * @returns the mistakes; empty if there are none. In the texts `{0}` is the attribute, and `params` start at `{1}`,
   * as in Keycloak. A `key` may be one of the plugin's `messages`.
   */
  check(request: ValuesToCheck<C>): Promise<readonly Message[]>;
}

/** Keycloak's own validators, which plugins cannot replace: Keyhost runs them synchronously. */
const RESERVED = [
  'length',
  'email',
  'pattern',
  'integer',
  'double',
  'uri',
  'options',
  'iso-date',
  'local-date',
  'multivalued',
  'not-blank',
  'not-empty',
  'username-prohibited-characters',
  'person-name-prohibited-characters',
  'up-username-not-idn-homograph',
];

const PROFILE_SETTING = 'kc.user.profile.config';

/**
 * A validator that attributes of the realm's user profile name in their `validations`, with its settings.
 * @example
 * ```ts
 * import { provide, Validator } from '@keyhost/spi';
 *
 * const message = { key: 'digitsOnly', texts: { en: '{0} must have digits only' } };
 *
 * export default provide(Validator, {
 *   id: 'digits',
 *   describe: { displayName: 'Digits only' },
 *   open: () => ({
 *     create: () => ({
 *       check: async ({ values }) => (values.every((value) => /^\d+$/.test(value)) ? [] : [message]),
 *     }),
 *   }),
 * });
 * ```
 */
export const Validator = spi<Described, ValidatorProvider>({
  id: 'validator',
  name: 'Validator',
  carries: 'nothing',
  declares: ['describe', 'settings'],
  describes: DESCRIBES,
  schemas: ({ settings }) => ({ settings }),
  reserved: RESERVED,
  realm: {
    key: 'components',
    *mentions({ components }) {
      const type = 'org.keycloak.userprofile.UserProfileProvider';
      const path = ['components', type, 0, 'config', PROFILE_SETTING];
      for (const id of validatorIds(valueAt(components, path.slice(1)))) yield { id, path, enabled: true };
    },
    example: (id, settings) =>
      `"validations": { "${id}": ${JSON.stringify(settings)} } of an attribute in ${PROFILE_SETTING}`,
  },
  methods: { required: ['check'] },
  crosses: [{ maps: ['attributes', 'config'] }],
  answers: { check: { type: 'array', maxItems: 100, items: MESSAGE } },
  check: checkDescribed,
});

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (current, key) => (current as Readonly<Record<string | number, unknown>> | undefined)?.[key],
    value,
  );
}

/** The IDs of the validators in a user profile; empty for an invalid profile, which another check reports. */
function validatorIds(config: unknown): Iterable<string> {
  const [text] = Array.isArray(config) ? config : [];
  try {
    const { attributes } = JSON.parse(String(text)) as { attributes?: { validations?: object }[] };
    return new Set((attributes ?? []).flatMap(({ validations }) => Object.keys(validations ?? {})));
  } catch {
    return [];
  }
}
