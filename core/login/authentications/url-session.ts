import { hash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationSessionKey } from './authentication-session-store.js';
import type { SerializedSession } from './session-serialization.js';

/** Encrypts and decrypts the sessions that URLs carry. */
export type SessionEncryption = Pick<BrowserSessions, 'encrypt' | 'decrypt'>;

/** An authentication session in the form that URLs carry. */
export interface UrlSession {
  readonly session: SerializedSession;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const CARRIED = 'AuthenticationSession';
/** Maximum length in characters: proxies accept URLs of 8 KB, some less. */
const LONGEST = 4000;
/**
 * Maximum number of unproven sessions too long for a URL that a node stores per period, and the period in milliseconds.
 */
const MOST_KEPT = 10_000;
const PERIOD_MS = 1_800_000;

/**
 * True if everything in the session comes from the request that began it, so that replaying it gains nothing over
 * repeating that request. A pushed request cannot be repeated, and costs its client more than opening a page.
 */
export function isUnproven(session: HostAuthenticationSession): boolean {
  const { request, at, userId, bySession, stepsUp, link, away, brokered, linking } = session;
  const isAtBeginning = at === 'authenticate' || at === 'registration';
  const known = [userId, stepsUp, link, away, brokered, linking, request.pushed, request.linkOnly];
  return isAtBeginning && !bySession && known.every((one) => one === undefined);
}

/** @returns undefined if it is too long */
export async function encryptSession(
  seals: SessionEncryption,
  exchange: Exchange,
  place: AuthenticationSessionKey,
  { session, expiresAt }: UrlSession,
): Promise<string | undefined> {
  const payload = { iss: exchange.realm.issuer, exp: Math.floor(expiresAt / 1000), place: nameOf(place), session };
  const sealed = await seals.encrypt(exchange, CARRIED, payload);
  return sealed.length <= LONGEST ? sealed : undefined;
}

/** Decrypts a session of this browser, tab and realm; undefined if it has expired. */
export async function decryptSession(
  seals: SessionEncryption,
  exchange: Exchange,
  place: AuthenticationSessionKey,
  sealed: string,
): Promise<UrlSession | undefined> {
  const payload = await seals.decrypt(exchange, CARRIED, sealed);
  if (payload === undefined || payload.place !== nameOf(place)) return undefined;
  return { session: payload.session as SerializedSession, expiresAt: Number(payload.exp) * 1000 };
}

/** The encrypted text is bound to the cookie, which proves the browser: a URL without the cookie is worthless. */
function nameOf({ realm, rootId, tabId }: AuthenticationSessionKey): string {
  return hash('sha256', `${realm} ${rootId} ${tabId}`, 'base64url');
}

/** Limits how many unproven sessions that are too long for a URL this node stores. */
export class UnprovenSessionLimit {
  #since = 0;
  #kept = 0;

  allows(now: number): boolean {
    if (now - this.#since >= PERIOD_MS) {
      this.#since = now;
      this.#kept = 0;
    }
    this.#kept += 1;
    return this.#kept <= MOST_KEPT;
  }
}
