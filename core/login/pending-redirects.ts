import { randomToken } from '../model/random-token.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

/** The browser was redirected to an external site. The `state` that it must bring back is single-use. */
export interface PendingRedirect {
  readonly state: string;
  /**
   * The position of the authentication session (`flowPosition`) when the browser left; the answer is valid only there.
   */
  readonly from: string;
}

/** Returns a `state`. Its tab and client lead back to the authentication session; its random part is the secret. */
export function newRedirectState({ tabId, clientId }: Pick<HostAuthenticationSession, 'tabId' | 'clientId'>): string {
  return `${randomToken(32)}.${tabId}.${Buffer.from(clientId).toString('base64url')}`;
}

/** The authentication session that a `state` names. The caller must still compare the whole `state`. */
export function authenticationOfState(state: string | undefined): {
  tabId: string | undefined;
  clientId: string | undefined;
} {
  const [, tabId, clientId] = (state ?? '').split('.');
  return { tabId, clientId: clientId === undefined ? undefined : Buffer.from(clientId, 'base64url').toString() };
}

/** The position of an authentication session in its login, with its user. */
export function flowPosition({ at, flow, waitsFor, userId, brokered }: HostAuthenticationSession): string {
  return JSON.stringify([at, flow, at === 'required-action' ? waitsFor : undefined, userId, brokered?.stage]);
}
