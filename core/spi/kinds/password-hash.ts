import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** What a password hash declares (Keycloak's PasswordHashProviderFactory). */
export interface PasswordHashDeclaration extends Pick<Described, 'describe'> {
  /** Bytes of UTF-8 that the algorithm reads of a password: longer ones are refused when they are set. Absent: all of them. */
  readonly maxBytes?: number;
}

/** A hash as it is stored: the members of Keycloak's `secretData` and `credentialData`. */
export interface PasswordHashed {
  readonly value: string;
  /** Base64. Absent where `value` holds it. */
  readonly salt?: string;
  /** What the work was; 1 if the algorithm has no such number. */
  readonly hashIterations: number;
  /** What else tells how the hash was made. Each value is a list, as in Keycloak. */
  readonly additionalParameters?: Readonly<Record<string, readonly string[]>>;
}

/** Keycloak's PasswordHashProvider: makes and verifies the hashes of passwords. The provider's ID is the algorithm's. */
export interface PasswordHashProvider {
  /**
   * Also called for logins that fail, so that an unknown user takes as long as one with such a hash: with `iterations` of stored hashes.
   * @param request.iterations the realm's `hashIterations`; absent: the algorithm's default
   */
  hash(request: { readonly password: string; readonly iterations?: number }): Promise<PasswordHashed>;
  /**
   * @returns true if it is the password of that hash. Compare in constant time. If it throws or answers too late, the login
   *   fails, no wrong password is counted, and the user is told to try again later.
   */
  verify(request: { readonly password: string; readonly hashed: PasswordHashed }): Promise<boolean>;
  /**
   * True if the hash is to be made anew at the next login, since the algorithm's work is another one now (Keycloak's
   * `policyCheck`). Absent: when `hashIterations` are not what the realm's policy says.
   */
  stale?(request: { readonly hashed: PasswordHashed; readonly iterations?: number }): Promise<boolean>;
}

/** How passwords are hashed. `hashAlgorithm(ID)` in the realm's `passwordPolicy` is for new ones; those that are stored name theirs. */
export const PasswordHash = spi<PasswordHashDeclaration, PasswordHashProvider>({
  id: 'password-hashing',
  name: 'PasswordHash',
  carries: 'credentials',
  declares: ['describe', 'maxBytes'],
  describes: DESCRIBES,
  realm: {
    key: 'passwordPolicy',
    *mentions({ passwordPolicy }) {
      for (const [, id = ''] of String(passwordPolicy ?? '').matchAll(/(?:^| and )\s*hashAlgorithm\(([^)]*)\)/g)) {
        yield { id, path: ['passwordPolicy'], enabled: true };
      }
    },
    example: (id) => `"passwordPolicy": "hashAlgorithm(${id})"`,
  },
  methods: { required: ['hash', 'verify'], optional: ['stale'] },
  answers: {
    hash: {
      type: 'object',
      properties: {
        value: { type: 'string', minLength: 16, maxLength: 4096 },
        salt: { type: 'string', maxLength: 1024 },
        hashIterations: { type: 'integer', minimum: 0 },
        additionalParameters: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
      required: ['value', 'hashIterations'],
      additionalProperties: false,
    },
    verify: { type: 'boolean' },
    stale: optional({ type: 'boolean' }),
  },
  check(declaration) {
    checkDescribed(declaration);
    const { maxBytes } = declaration as PasswordHashDeclaration;
    if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes > 0))
      throw new Error('maxBytes must be a whole number of bytes');
  },
});
