import type { Json, JsonObject } from '../json-schema.js';
import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import { object, optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Description } from './description.js';

/** What credentials are for, in Keycloak's words: instead of a password, beside one, or without one. */
export type CredentialCategory = 'basic-authentication' | 'two-factor' | 'passwordless';

/** What a type of credentials declares (Keycloak's CredentialTypeMetadata). The type is the provider's ID. */
export interface CredentialDeclaration {
  /** What users and admins call the type. */
  readonly describe: Description;
  readonly category: CredentialCategory;
  /** The alias of the required action that creates one. The account page offers it if the realm has it on. */
  readonly createAction?: string;
  /** False: users do not remove one. Default: true. */
  readonly removable?: boolean;
  /** True: a user has one of the type at most, and a new one takes its place. Default: false. */
  readonly single?: boolean;
  /** Keycloak's `iconCssClass`, for account consoles. */
  readonly iconCssClass?: string;
}

/** A credential, as its provider sees it. */
export interface StoredCredential {
  readonly id: string;
  /** What the user calls it. */
  readonly label?: string;
  /** Milliseconds since the epoch. */
  readonly createdDate?: number;
  /** Keycloak's `secretData`: nobody but the provider sees it. */
  readonly secret: JsonObject;
  /** Keycloak's `credentialData`: admins see it, unless `present` says what they see. */
  readonly data: JsonObject;
}

/** What a new credential is stored as. */
export interface NewCredential {
  readonly secret: JsonObject;
  readonly data: JsonObject;
  /** At most 255 characters. A label that `session.ownCredentials.create` was given comes before it. */
  readonly label?: string;
}

export interface CredentialProof {
  readonly valid: boolean;
  /**
   * What is stored from now on, such as a counter. It is stored only if the credential is as it was: else you are asked once more,
   * with the newer one.
   */
  readonly changed?: { readonly secret?: JsonObject; readonly data?: JsonObject };
}

/** What may be shown of a credential. */
export interface PresentedCredential {
  /** For one that the user has not named. */
  readonly label?: string;
  /** Shown in place of `credentialData`. */
  readonly data?: JsonObject;
}

/**
 * Keycloak's CredentialProvider and CredentialInputValidator: a type of credentials. `input` is what the plugin's own step or action
 * gives `session.ownCredentials`.
 */
export interface CredentialProviderMethods {
  /** Makes one for a user. Nothing is stored if it throws. */
  create(request: { readonly user: UserView; readonly input: Json }): Promise<NewCredential>;
  /**
   * Whether the input is right. Compare in constant time. If it throws or answers too late, nobody is let in, and no wrong guess is
   * counted.
   */
  verify(request: { readonly credential: StoredCredential; readonly input: Json }): Promise<CredentialProof>;
  /** What the account page and admins may see. Without it: the label, and for admins `data`. */
  present?(credential: Omit<StoredCredential, 'secret'>): Promise<PresentedCredential>;
}

const OBJECT = { type: 'object' } as const;
const LABEL = { type: 'string', maxLength: 255 } as const;
const CATEGORIES: readonly unknown[] = ['basic-authentication', 'two-factor', 'passwordless'];
const OWN_TYPES = ['password', 'otp', 'webauthn', 'webauthn-passwordless', 'recovery-authn-codes'];

/** A type of credentials. A realm turns it on by `providers`: `"credential": { "ID": { "enabled": true } }`. */
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
