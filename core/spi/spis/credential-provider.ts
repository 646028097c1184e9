import type { Json, JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import { object, optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Description } from './description.js';

/** The purpose of credentials, in Keycloak's words: instead of a password, in addition to one, or without one. */
export type CredentialCategory = 'basic-authentication' | 'two-factor' | 'passwordless';

/** The declaration of a credential type (Keycloak's CredentialTypeMetadata). The type is the provider's ID. */
export interface CredentialDeclaration {
  /** The name of the type, for users and admins. */
  readonly describe: Description;
  readonly category: CredentialCategory;
  /**
   * The alias of the required action that creates a credential. The account page offers it if it is enabled in the
   * realm.
   */
  readonly createAction?: string;
  /** False if users may not remove their credentials of this type. Default: true. */
  readonly removable?: boolean;
  /** True if a user has at most one credential of this type, which a new one replaces. Default: false. */
  readonly single?: boolean;
  /** Keycloak's `iconCssClass`, for account consoles. */
  readonly iconCssClass?: string;
}

/** A credential, as its provider sees it. */
export interface StoredCredential {
  readonly id: string;
  /** The name that the user gave it. */
  readonly label?: string;
  /** Milliseconds since the epoch. */
  readonly createdDate?: number;
  /** Keycloak's `secretData`: only the provider sees it. */
  readonly secret: JsonObject;
  /** Keycloak's `credentialData`: admins see it, unless `present` returns other data. */
  readonly data: JsonObject;
}

/** The stored form of a new credential. */
export interface NewCredential {
  readonly secret: JsonObject;
  readonly data: JsonObject;
  /** At most 255 characters. A label that was passed to `session.ownCredentials.create` takes precedence. */
  readonly label?: string;
}

/** The result of verifying a credential. */
export interface CredentialProof {
  /** True if the input matches the credential. */
  readonly valid: boolean;
  /**
   * The new stored form, such as an increased counter. It is written only if the credential has not changed meanwhile;
   * otherwise `verify` is called again with the newer form.
   */
  readonly changed?: { readonly secret?: JsonObject; readonly data?: JsonObject };
}

/** The public view of a credential. */
export interface PresentedCredential {
  /** The label of a credential that the user has not named. */
  readonly label?: string;
  /** Shown in place of `credentialData`. */
  readonly data?: JsonObject;
}

/**
 * Keycloak's CredentialProvider and CredentialInputValidator: a type of credentials. `input` is the value that the
 * plugin's step or action passed to `session.ownCredentials`.
 */
export interface CredentialProviderMethods {
  /** Creates a credential for a user. If it throws, nothing is stored. */
  create(request: { readonly user: UserView; readonly input: Json }): Promise<NewCredential>;
  /**
   * Checks the input against a credential. Compare in constant time. If it throws or exceeds its time limit, the login
   * fails, and no wrong guess is counted.
   */
  verify(request: { readonly credential: StoredCredential; readonly input: Json }): Promise<CredentialProof>;
  /** Returns the view for the account page and for admins. Default: the label, and for admins `data`. */
  present?(credential: Omit<StoredCredential, 'secret'>): Promise<PresentedCredential>;
}

const OBJECT = { type: 'object' } as const;
const LABEL = { type: 'string', maxLength: 255 } as const;
const CATEGORIES: readonly unknown[] = ['basic-authentication', 'two-factor', 'passwordless'];
const OWN_TYPES = ['password', 'otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes'];

/**
 * A type of credentials. A realm enables it in `providers`: `"credential": { "ID": { "enabled": true } }`.
 * @example
 * ```ts
 * import { CredentialProvider, type Json, provide } from '@keyhost/spi';
 *
 * const digest = async (word: Json) =>
 *   Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(String(word)))).toString('hex');
 *
 * export default provide(CredentialProvider, {
 *   id: 'security-word',
 *   describe: { displayName: 'Security word' },
 *   category: 'two-factor',
 *   createAction: 'set-security-word',
 *   open: () => ({
 *     create: () => ({
 *       create: async ({ input }) => ({ secret: { digest: await digest(input) }, data: {} }),
 *       verify: async ({ credential, input }) => ({ valid: credential.secret.digest === (await digest(input)) }),
 *     }),
 *   }),
 * });
 * ```
 */
export const CredentialProvider = spi<CredentialDeclaration, CredentialProviderMethods>({
  id: 'credential',
  name: 'CredentialProvider',
  carries: 'credentials',
  declares: ['describe', 'category', 'createAction', 'removable', 'single', 'iconCssClass'],
  describes: DESCRIBES,
  // Types of Keycloak, the IDs of its providers for them, and the word for no credential in a condition.
  reserved: [
    ...OWN_TYPES.flatMap((type) => [type, `keycloak-${type}`]),
    'password-history',
    'kerberos',
    'cert',
    'none',
  ],
  methods: { required: ['create', 'verify'], optional: ['present'] },
  crosses: [{ maps: ['credential.secret', 'credential.data'] }],
  answers: {
    create: object({ secret: OBJECT, data: OBJECT }, { label: LABEL }),
    verify: object({ valid: { type: 'boolean' } }, { changed: object({}, { secret: OBJECT, data: OBJECT }) }),
    present: optional(object({}, { label: LABEL, data: OBJECT })),
  },
  check(declaration) {
    const { describe, category, createAction = '', removable = true, single = false, iconCssClass = '' } = declaration;
    if (describe === undefined) throw new Error('describe is required: the type must have a name');
    checkDescribed({ describe });
    if (!CATEGORIES.includes(category)) throw new Error(`category must be one of ${CATEGORIES.join(', ')}`);
    if (typeof createAction !== 'string') throw new Error('createAction must be the alias of a required action');
    if (typeof removable !== 'boolean') throw new Error('removable must be true or false');
    if (typeof single !== 'boolean') throw new Error('single must be true or false');
    if (typeof iconCssClass !== 'string') throw new Error('iconCssClass must be a text');
  },
});
