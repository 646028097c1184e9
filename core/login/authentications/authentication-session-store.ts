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
   * @param encryptedSession the text that `encryptForUrl` returned, if the request has it
   * @throws HostError `authentication_busy` (503)
   */
  find(
    exchange: Exchange,
    key: AuthenticationSessionKey,
    encryptedSession?: string,
  ): Promise<HostAuthenticationSession | undefined>;
  /**
   * Encrypts an authentication session in which nothing is proven yet, for the page's URLs. It is then not stored.
   * Absent if this store stores every session.
   * @returns the text for `find`; undefined if the session must be stored
   */
  encryptForUrl?(
    exchange: Exchange,
    session: HostAuthenticationSession,
    lifespanMs: number,
  ): Promise<string | undefined>;
  /** The tab of the authentication session that a pushed request began. */
  tabOfPushed(browser: BrowserKey, pushed: string): Promise<string | undefined>;
  /** True if the browser has other authentication sessions. */
  hasOthers(key: AuthenticationSessionKey): Promise<boolean>;
  /** True if no active session of the realm has this tab ID. Absent: the store cannot know that. */
  isLost?(realm: string, tabId: string): boolean;
  /**
   * Stores a session.
   * @param lifespanMs its lifetime from now, in milliseconds
   */
  save(exchange: Exchange, session: HostAuthenticationSession, lifespanMs: number): void;
  remove(exchange: Exchange, session: HostAuthenticationSession): void;
}
