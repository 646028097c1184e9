import type { Exchange } from '../../http/exchange.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';

/** All authentication sessions of a browser in a realm. */
export interface BrowserPlace {
  readonly realm: string;
  /** What the browser's cookie says. */
  readonly rootId: string;
}

/** One of them: that in a tab of the browser. */
export interface AuthenticationPlace extends BrowserPlace {
  readonly tabId: string;
}

/** Where authentication sessions are between two requests. */
export interface AuthenticationShelf {
  /**
   * What is changed in it until the request is answered is kept.
   * @param carried what `carried` gave, where the request brings that
   * @throws HostError `authentication_busy` (503)
   */
  find(
    exchange: Exchange,
    place: AuthenticationPlace,
    carried?: string,
  ): Promise<HostAuthenticationSession | undefined>;
  /**
   * Has the browser carry one that nobody has proven anything in, instead of keeping it. Absent: none is carried.
   * @returns what `find` is to be given; undefined for one that is to be kept
   */
  carried?(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): Promise<string | undefined>;
  /** The tab of the authentication session that a pushed request began. */
  tabOfPushed(browser: BrowserPlace, pushed: string): Promise<string | undefined>;
  /** True when the browser has others than that one. */
  hasOthers(place: AuthenticationPlace): Promise<boolean>;
  /** True when no browser has a tab of that name, and none brings one. Absent: nobody knows. */
  isLost?(realm: string, tabId: string): boolean;
  /** @param lifespanMs from now */
  keep(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): void;
  remove(exchange: Exchange, session: HostAuthenticationSession): void;
}
