import { randomToken } from '../model/random-token.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

/**
 * The record of a redirect of the browser to an external site. The browser must bring back its `state`, which works
 * once.
 */
export interface PendingRedirect {
  readonly state: string;
  /**
   * The authentication session's `flowPosition` at the redirect. The browser's return is valid only in the same
   * position.
   */
  readonly from: string;
}

/** Creates a `state`. Its tab and client identify the authentication session; its random part is the secret. */
export function newRedirectState({ tabId, clientId }: Pick<HostAuthenticationSession, 'tabId' | 'clientId'>): string {
  return `${randomToken(32)}.${tabId}.${Buffer.from(clientId).toString('base64url')}`;
}

/** The authentication session that a `state` identifies. The caller must still compare the whole `state`. */
export function authenticationOfState(state: string | undefined): {
  tabId: string | undefined;
  clientId: string | undefined;
} {
  const [, tabId, clientId] = (state ?? '').split('.');
  return { tabId, clientId: clientId === undefined ? undefined : Buffer.from(clientId, 'base64url').toString() };
}

/** The position of a login: its stage, flow, pending required action and user. */
export function flowPosition({ at, flow, waitsFor, userId, brokered }: HostAuthenticationSession): string {
  return JSON.stringify([at, flow, at === 'required-action' ? waitsFor : undefined, userId, brokered?.stage]);
}
