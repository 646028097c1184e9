import { randomToken } from '../model/random-token.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

/** A browser is elsewhere. What it must come back with works once. */
export interface Trip {
  readonly state: string;
  /** Where the authentication session was when the browser left: what comes back is for nothing else. */
  readonly from: string;
}

/** What the browser takes along: tab and client lead back to the authentication session, and the random part is what counts. */
export function newTripState({ tabId, clientId }: Pick<HostAuthenticationSession, 'tabId' | 'clientId'>): string {
  return `${randomToken(32)}.${tabId}.${Buffer.from(clientId).toString('base64url')}`;
}

/** The authentication session that a `state` leads to; whether it is right is another question. */
export function loginOfState(state: string | undefined): { tabId: string | undefined; clientId: string | undefined } {
  const [, tabId, clientId] = (state ?? '').split('.');
  return { tabId, clientId: clientId === undefined ? undefined : Buffer.from(clientId, 'base64url').toString() };
}

/** How far an authentication session has come, and whose it is. */
export function placeOf({ at, flow, waitsFor, userId, brokered }: HostAuthenticationSession): string {
  return JSON.stringify([at, flow, at === 'required-action' ? waitsFor : undefined, userId, brokered?.stage]);
}
