import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** The declaration of a password hash (Keycloak's PasswordHashProviderFactory). */
export interface PasswordHashDeclaration extends Pick<Described, 'describe'> {
  /**
   * The maximum length of a password in bytes of UTF-8, for an algorithm that ignores further bytes. Longer passwords
   * are refused when they are set. Default: no limit.
   */
  readonly maxBytes?: number;
}

/** A hash as it is stored: the members of Keycloak's `secretData` and `credentialData`. */
export interface PasswordHashed {
  /** The hash, in the algorithm's own encoding. */
  readonly value: string;
  /** Base64. Absent if `value` contains it. */
  readonly salt?: string;
  /** The work factor; 1 if the algorithm has none. */
  readonly hashIterations: number;
  /** Other parameters of the hash. Each value is a list, as in Keycloak. */
  readonly additionalParameters?: Readonly<Record<string, readonly string[]>>;
}

/** Keycloak's PasswordHashProvider: creates and verifies password hashes. The provider's ID is the algorithm's. */
export interface PasswordHashProvider {
  /**
   * Hashes a password. Also called for failed logins, with the `iterations` of stored hashes, so that an unknown user
   * takes as long as a known one.
   * @param request.iterations the realm's `hashIterations`; absent: the algorithm's default
   */
  hash(request: { readonly password: string; readonly iterations?: number }): Promise<PasswordHashed>;
  /**
   * Verifies a password. Compare in constant time. If it throws or exceeds its time limit, the login fails, no wrong
   * password is counted, and the user is asked to try again later.
   * @returns true if the password matches the hash
   */
  verify(request: { readonly password: string; readonly hashed: PasswordHashed }): Promise<boolean>;
  /**
   * Returns true if the password must be hashed again at the next login, because the work factor has changed
   * (Keycloak's `policyCheck`). Default: true if `hashIterations` differ from the realm's policy.
   */
  stale?(request: { readonly hashed: PasswordHashed; readonly iterations?: number }): Promise<boolean>;
}

/**
 * A hash algorithm for passwords. `hashAlgorithm(ID)` in the realm's `passwordPolicy` selects it for new passwords.
 * Stored hashes name their own.
 * @example
 * ```ts
 * import { PasswordHash, provide } from '@keyhost/spi';
 *
 * async function derive(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<Buffer> {
 *   const key = await crypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits']);
 *   const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations };
 *   return Buffer.from(await crypto.subtle.deriveBits(algorithm, key, 512));
 * }
 * export default provide(PasswordHash, {
 *   id: 'example-pbkdf2',
 *   open: () => ({ create: () => ({
 *     async hash({ password, iterations = 210_000 }) {
 *       const salt = crypto.getRandomValues(new Uint8Array(16));
 *       const value = (await derive(password, salt, iterations)).toString('base64');
 *       return { value, salt: Buffer.from(salt).toString('base64'), hashIterations: iterations };
 *     },
 *     async verify({ password, hashed: { value, salt = '', hashIterations } }) {
 *       const given = await derive(password, Buffer.from(salt, 'base64'), hashIterations);
 *       return Buffer.from(value, 'base64').reduce((wrong, byte, at) => wrong | (byte ^ (given[at] ?? 0)), 0) === 0;
 *     } }) }),
 * });
 * ```
 */
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
