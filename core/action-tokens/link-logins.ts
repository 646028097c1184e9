import type { ActionToken, LinkedActions } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { User } from '../model/user.js';
import type { TicketKey } from '../store/store.js';

/** A single-use mark that is claimed when something was done. */
export type SpentMark = TicketKey & { readonly expiresAt: number };

/** What a handler of the host's own answers for a link that signs its user in, where it belongs to no login. */
export interface SigningIn extends LinkedActions {
  readonly signsIn?: { readonly redirectUri: string | undefined };
}

/** A link that somebody has followed and may go on with. */
export interface FollowedLink {
  readonly user: User;
  readonly client: Client | undefined;
  readonly token: ActionToken;
  /** The browser's authentication session that goes on; without it one of the link's own, which logs nobody in. */
  readonly authentication: string | undefined;
  readonly linked: LinkedActions;
  /** Undefined: a link without a login signs nobody in. */
  readonly signsIn?: SigningIn['signsIn'] | undefined;
  /** Claimed with the first action that is done. */
  readonly spends: SpentMark | undefined;
}

/** What the browser login makes of links: this room knows it by this alone. */
export interface LinkLogins {
  /** True when the browser has the authentication session of that name. */
  isUnderWay(exchange: Exchange, name: string): Promise<boolean>;
  /** The authenticator of the step that the browser's authentication session of that name waits at. */
  waitsAt(exchange: Exchange, name: string): Promise<string | undefined>;
  browserUser(exchange: Exchange): Promise<User | undefined>;
  /** Answers with the first page of what the link leads through. */
  lead(exchange: Exchange, link: FollowedLink): Promise<void>;
}
