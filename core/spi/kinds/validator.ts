import type { Json } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';
import { MESSAGE } from './step-answers.js';
import type { Message } from './theme.js';

/** Who gives the values, and where (Keycloak's UserProfileContext). */
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

/** The values of one attribute that are to be judged. `C` is the type of `settings`. */
export interface ValuesToCheck<C = Readonly<Record<string, Json>>> {
  /** `username`, `email`, `firstName` and `lastName` are attributes, too. */
  readonly attribute: string;
  /** At least one. */
  readonly values: readonly string[];
  /** All attributes of the profile, as they would be. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** What the realm's user profile says of this use, checked by `settings`, with its defaults. */
  readonly config: C;
  /** As they are stored; absent for somebody who is about to become a user. */
  readonly user?: UserView;
  readonly context: UserProfileContext;
}

/** Keycloak's Validator: a rule for the values of attributes. */
export interface ValidatorProvider<C = Readonly<Record<string, Json>>> {
  /**
   * Called before values are stored. An attribute without values is not asked about: `required` of the profile is for that.
   * @returns what is wrong; empty: nothing. In the texts `{0}` is the attribute, and `params` follow from `{1}` on, as in Keycloak. A
   *   `key` may be one of the plugin's `messages`. If it throws or answers too late, nothing is stored, and the user is told to try
   *   again later.
   */
  check(request: ValuesToCheck<C>): Promise<readonly Message[]>;
}

/** What Keycloak calls its own, and Keyhost's cannot be replaced by: they judge without waiting. */
const RESERVED = [
  ...['length', 'email', 'pattern', 'integer', 'double', 'uri', 'options', 'iso-date', 'local-date', 'multivalued'],
  ...['not-blank', 'not-empty'],
  ...['username-prohibited-characters', 'person-name-prohibited-characters', 'up-username-not-idn-homograph'],
];

const PROFILE = 'kc.user.profile.config';

/** Attributes of the realm's user profile name it in their `validations`, with its settings. */
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
      const path = ['components', type, 0, 'config', PROFILE];
      for (const id of validatorsOf(valueAt(components, path.slice(1)))) yield { id, path, enabled: true };
    },
    example: (id, settings) => `"validations": { "${id}": ${JSON.stringify(settings)} } of an attribute in ${PROFILE}`,
  },
  methods: { required: ['check'] },
  crosses: [{ maps: ['attributes', 'config'] }],
  answers: { check: { type: 'array', maxItems: 100, items: MESSAGE } },
  check: checkDescribed,
});

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<string | number, unknown>> | undefined)?.[key],
    value,
  );
}

/** A profile that cannot be read names none: its own check says so. */
function validatorsOf(config: unknown): Iterable<string> {
  const [text] = Array.isArray(config) ? config : [];
  try {
    const { attributes } = JSON.parse(String(text)) as { attributes?: { validations?: object }[] };
    return new Set((attributes ?? []).flatMap(({ validations }) => Object.keys(validations ?? {})));
  } catch {
    return [];
  }
}
