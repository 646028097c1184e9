import type { ActionToken, LinkedActions } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { User } from '../model/user.js';
import type { OneTimeTokenKey } from '../store/store.js';

/** The key of a single-use record that is claimed with the first completed action. */
export type SingleUseKey = OneTimeTokenKey & { readonly expiresAt: number };

/** A built-in handler's answer for a link outside a login that signs its user in. */
export interface SigningIn extends LinkedActions {
  readonly signsIn?: { readonly redirectUri: string | undefined };
}

/** A verified link that its handler has accepted. */
export interface FollowedLink {
  readonly user: User;
  readonly client: Client | undefined;
  readonly token: ActionToken;
  /** The browser's authentication session to continue; undefined: a new one for the link, which signs no user in. */
  readonly authentication: string | undefined;
  readonly linked: LinkedActions;
  /** Undefined: a link outside a login does not sign its user in. */
  readonly signsIn?: SigningIn['signsIn'] | undefined;
  /** Claimed with the first completed action. */
  readonly spends: SingleUseKey | undefined;
}

/** The browser login, as far as this module uses it. */
export interface LinkLogins {
  /** True if the browser has the authentication session with this name. */
  isActive(exchange: Exchange, name: string): Promise<boolean>;
  /** The authenticator of the pending step in the browser's authentication session with this name. */
  pendingAuthenticator(exchange: Exchange, name: string): Promise<string | undefined>;
  browserUser(exchange: Exchange): Promise<User | undefined>;
  /** Shows the first page that the link leads to. */
  followLink(exchange: Exchange, link: FollowedLink): Promise<void>;
}
