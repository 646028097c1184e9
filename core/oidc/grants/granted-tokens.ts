import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { Granted } from '../../tokens/granted.js';
import type { Users } from '../../users/users.js';

/** What a grant gave, and to whom: what its terms are asked of with each refresh. */
export interface GrantedTokens {
  readonly realm: Realm;
  readonly client: Client;
  readonly user: User;
  /** Of the tokens that are asked for now. */
  readonly scope: string;
  readonly granted: Granted;
  readonly users: Users;
}

/** What a grant asks for before it gives tokens, and again with each refresh of them. @throws OAuthError */
export type GrantTerms = (asked: GrantedTokens) => void | Promise<void>;
