import type { ActionToken, LinkedActions } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { User } from '../model/user.js';
import type { TicketKey } from '../store/store.js';

/** A single-use mark that is claimed when something was done. */
export type SpentMark = TicketKey & { readonly expiresAt: number };

/** What the browser login makes of links: this room knows it by this alone. */
export interface LinkLogins {
  /** True when the login of that name is under way in the browser. */
  isUnderWay(exchange: Exchange, login: string): boolean;
  browserUser(exchange: Exchange): Promise<User | undefined>;
  /**
   * Answers with the first page of what the link leads through.
   * @param link.login the browser's login that goes on; without it one of the link's own, which logs nobody in
   * @param link.spends claimed with the first action that is done
   */
  lead(
    exchange: Exchange,
    link: {
      readonly user: User;
      readonly client: Client | undefined;
      readonly token: ActionToken;
      readonly login: string | undefined;
      readonly linked: LinkedActions;
      readonly spends: SpentMark | undefined;
    },
  ): Promise<void>;
}
