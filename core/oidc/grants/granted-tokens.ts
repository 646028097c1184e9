import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { GrantLimits } from '../../tokens/grant-limits.js';
import type { Users } from '../../users/users.js';

/** Tokens of an earlier grant. The grant's terms are checked again at each refresh. */
export interface GrantedTokens {
  readonly realm: Realm;
  readonly client: Client;
  readonly user: User;
  /** The scope of the tokens that are requested now. */
  readonly scope: string;
  readonly granted: GrantLimits;
  readonly users: Users;
}

/** The conditions of a grant, checked before it issues tokens and at each refresh. @throws OAuthError */
export type GrantCheck = (tokens: GrantedTokens) => void | Promise<void>;
