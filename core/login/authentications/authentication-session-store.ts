import type { Exchange } from '../../http/exchange.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';

/** Identifies all authentication sessions of a browser in a realm. */
export interface BrowserKey {
  readonly realm: string;
  /** The value of the browser's cookie. */
  readonly rootId: string;
}

/** Identifies the authentication session in one tab of a browser. */
export interface AuthenticationSessionKey extends BrowserKey {
  readonly tabId: string;
}

/** Stores authentication sessions between requests. */
export interface AuthenticationSessionStore {
  /**
   * Reads a session. Changes of the returned object are saved when the request is answered.
   * @param carried the text that `carried` returned, if the request has it
   * @throws HostError `authentication_busy` (503)
   */
  find(
    exchange: Exchange,
    key: AuthenticationSessionKey,
    carried?: string,
  ): Promise<HostAuthenticationSession | undefined>;
  /**
   * Encrypts an authentication session in which nothing is proven yet, to be put into the page's URLs instead of the
   * store. Absent if this store never does so.
   * @returns the string that `find` takes; undefined if the session must be stored
   */
  carried?(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): Promise<string | undefined>;
  /** The tab of the authentication session that a pushed request began. */
  tabOfPushed(browser: BrowserKey, pushed: string): Promise<string | undefined>;
  /** True if the browser has other authentication sessions. */
  hasOthers(key: AuthenticationSessionKey): Promise<boolean>;
  /** True if no browser has a tab with this ID, either stored or in its URLs. Absent: unknown. */
  isLost?(realm: string, tabId: string): boolean;
  /**
   * Stores a session.
   * @param lifespanMs from now
   */
  save(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): void;
  remove(exchange: Exchange, session: HostAuthenticationSession): void;
}
