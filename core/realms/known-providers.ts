import type { KnownDeclaration } from '../model/realm-providers.js';
import type { PasswordBlacklists } from '../users/passwords/password-blacklists.js';

/** The providers against which a realm is checked. */
export interface KnownProviders {
  readonly providers?: readonly KnownDeclaration[];
  /** True if an optional plugin was left out. An unknown name may then belong to that plugin. */
  readonly hasLeftOutPlugin?: boolean | undefined;
  /** Checks files that `passwordBlacklist` names; undefined: any file is accepted. */
  readonly blacklists?: Pick<PasswordBlacklists, 'findProblem'> | undefined;
}
