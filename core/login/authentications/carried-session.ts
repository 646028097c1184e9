import { hash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { WrittenSession } from './session-text.js';
import type { AuthenticationPlace } from './shelf.js';

/** Seals what a browser carries, and opens it again. */
export type Seals = Pick<BrowserSessions, 'encrypted' | 'decrypted'>;

/** An authentication session as a browser carries it. */
export interface CarriedSession {
  readonly session: WrittenSession;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const CARRIED = 'AuthenticationSession';
/** Characters: proxies take addresses of 8 KB, some less. */
const LONGEST = 4000;
/** Of those that do not fit, what a node keeps in a while, and how long that is, in milliseconds. */
const MOST_KEPT = 10_000;
const WHILE_MS = 1_800_000;

/**
 * Whether all of it comes from the request that began it: whoever brings it again is no further than who sends that request
 * again. A pushed request cannot be sent again, and cost its client more than a visit.
 */
export function isUnproven(session: HostAuthenticationSession): boolean {
  const { request, at, userId, bySession, stepsUp, link, away, brokered, linking } = session;
  const isAtBeginning = at === 'authenticate' || at === 'registration';
  const known = [userId, stepsUp, link, away, brokered, linking, request.pushed, request.linkOnly];
  return isAtBeginning && !bySession && known.every((one) => one === undefined);
}

/** @returns undefined when it is too long */
export async function sealedSession(
  seals: Seals,
  exchange: Exchange,
  place: AuthenticationPlace,
  { session, expiresAt }: CarriedSession,
): Promise<string | undefined> {
  const payload = { iss: exchange.realm.issuer, exp: Math.floor(expiresAt / 1000), place: nameOf(place), session };
  const sealed = await seals.encrypted(exchange, CARRIED, payload);
  return sealed.length <= LONGEST ? sealed : undefined;
}

/** What was sealed for this browser, tab and realm, until it expires. */
export async function openedSession(
  seals: Seals,
  exchange: Exchange,
  place: AuthenticationPlace,
  sealed: string,
): Promise<CarriedSession | undefined> {
  const payload = await seals.decrypted(exchange, CARRIED, sealed);
  if (payload === undefined || payload.place !== nameOf(place)) return undefined;
  return { session: payload.session as WrittenSession, expiresAt: Number(payload.exp) * 1000 };
}

/** The cookie is proof of being the browser: addresses do not tell it, and are good with it alone. */
function nameOf({ realm, rootId, tabId }: AuthenticationPlace): string {
  return hash('sha256', `${realm} ${rootId} ${tabId}`, 'base64url');
}

/** Bounds what a node keeps of visits that cannot be carried. */
export class UnprovenSessions {
  #since = 0;
  #kept = 0;

  mayBeKept(now: number): boolean {
    if (now - this.#since >= WHILE_MS) {
      this.#since = now;
      this.#kept = 0;
    }
    this.#kept += 1;
    return this.#kept <= MOST_KEPT;
  }
}
