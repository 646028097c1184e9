import { spi } from '../plugin.js';
import { optional } from './answer-schemas.js';
import { checkDescribed, DESCRIBES, type Described } from './description.js';

/** What a vault declares (Keycloak's VaultProviderFactory). */
export type VaultDeclaration = Pick<Described, 'describe'>;

/** A secret that a vault has. */
export interface VaultSecret {
  readonly value: string;
  /** Seconds since the epoch. The host asks again then, and does not use the value any longer. Absent: it asks again after a minute. */
  readonly expiresAt?: number;
}

/** Keycloak's VaultProvider: secrets that realms name instead of holding them. */
export interface VaultProvider {
  /**
   * @param request.key what a realm has in `${vault.KEY}`; the realm is `session.realm`
   * @returns undefined: the vault has no such secret, and the realm's next vault is asked. If it throws or is late, nobody knows: the
   *   secret is not used, and whoever needs it is told to try again later.
   */
  read(request: { readonly key: string }): Promise<VaultSecret | undefined>;
}

/** A place of secrets. A realm switches it on in `providers`, and names a secret as `${vault.KEY}`. */
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
