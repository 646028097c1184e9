import type { KnownDeclaration } from '../model/realm-providers.js';
import type { PasswordBlacklists } from '../users/passwords/password-blacklists.js';

/** The providers that a realm is checked with. */
export interface KnownProviders {
  readonly providers?: readonly KnownDeclaration[];
  /** True when a plugin that is not required was left out: what is unknown may be its. */
  readonly someLeftOut?: boolean | undefined;
  /** The files that `passwordBlacklist` may name; undefined: any. */
  readonly blacklists?: Pick<PasswordBlacklists, 'mistake'> | undefined;
}
