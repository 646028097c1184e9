import type { ActionToken, LinkedActions } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { User } from '../model/user.js';
import type { OneTimeTokenKey } from '../store/store.js';

/**
 * The key of the record that marks a single-use link as used. It is written when the user completes the first required
 * action.
 */
export type SingleUseKey = OneTimeTokenKey & { readonly expiresAt: number };

/** The answer of a built-in handler to a link that was opened outside a login and signs its user in. */
export interface SignInLinkActions extends LinkedActions {
  readonly signsIn?: { readonly redirectUri: string | undefined };
}

/** A verified link that its handler has accepted. */
export interface AcceptedLink {
  readonly user: User;
  readonly client: Client | undefined;
  readonly token: ActionToken;
  /** The name of the browser's authentication session to continue. Undefined: start a new session for the link. */
  readonly authenticationName: string | undefined;
  readonly linkedActions: LinkedActions;
  /** Set if the link signs its user in although it was opened outside a login. */
  readonly signsIn?: SignInLinkActions['signsIn'] | undefined;
  /** Set for a single-use link; claimed with the first completed action. */
  readonly singleUseKey: SingleUseKey | undefined;
}

/** The part of the browser login that the action-token endpoint uses. */
export interface LinkLogins {
  /** True if the browser has the authentication session with this name. */
  isActive(exchange: Exchange, name: string): Promise<boolean>;
  /** The authenticator of the pending step in the browser's authentication session with this name. */
  pendingAuthenticator(exchange: Exchange, name: string): Promise<string | undefined>;
  browserUser(exchange: Exchange): Promise<User | undefined>;
  /** Continues or starts an authentication session for the link, and shows its first page. */
  followLink(exchange: Exchange, link: AcceptedLink): Promise<void>;
}
