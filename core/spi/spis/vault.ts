import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** The declaration of a vault (Keycloak's VaultProviderFactory). */
export type VaultDeclaration = Pick<Described, 'describe'>;

/** A secret from a vault. */
export interface VaultSecret {
  readonly value: string;
  /**
   * The time in seconds since the epoch after which the host reads the secret again. Default: a minute after the last
   * read.
   */
  readonly expiresAt?: number;
}

/** Keycloak's VaultProvider: resolves secrets that realms refer to by name. */
export interface VaultProvider {
  /**
   * Reads a secret. If it throws or exceeds its time limit, the operation that needs the secret fails and must be tried
   * again later.
   * @param request.key the `KEY` of `${vault.KEY}` in the realm; the realm is `session.realm`
   * @returns the secret; undefined if the vault does not have it, so that the realm's next vault is tried
   */
  read(request: { readonly key: string }): Promise<VaultSecret | undefined>;
}

/**
 * A source of secrets. A realm enables it in `providers`, and refers to a secret as `${vault.KEY}`.
 * @example
 * ```ts
 * import { provide, Vault } from '@keyhost/spi';
 *
 * export default provide(Vault, {
 *   id: 'environment',
 *   open: () => ({
 *     create: () => ({
 *       async read({ key }) {
 *         const value = process.env[`SECRET_${key}`];
 *         return value === undefined ? undefined : { value };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const Vault = spi<VaultDeclaration, VaultProvider>({
  id: 'vault',
  name: 'Vault',
  carries: 'credentials',
  declares: ['describe'],
  describes: DESCRIBES,
  methods: { required: ['read'] },
  answers: {
    read: optional({
      type: 'object',
      required: ['value'],
      properties: { value: { type: 'string', minLength: 1, maxLength: 65_536 }, expiresAt: { type: 'number' } },
      additionalProperties: false,
    }),
  },
  check: checkDescribed,
});
