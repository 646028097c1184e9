import { hash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationSessionKey } from './authentication-session-store.js';
import type { SerializedSession } from './session-serialization.js';

/** Encrypts and decrypts the sessions in URLs. */
export type SessionEncryption = Pick<BrowserSessions, 'encrypt' | 'decrypt'>;

/** An authentication session as it is encrypted in URLs. */
export interface UrlSession {
  readonly session: SerializedSession;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

const TOKEN_TYPE = 'AuthenticationSession';
/** Maximum length in characters: most proxies accept URLs of 8 KB, some less. */
const MAX_LENGTH = 4000;
/**
 * Maximum number of unproven sessions too long for a URL that a node stores per period, and the period in milliseconds.
 */
const MAX_STORED = 10_000;
const PERIOD_MS = 1_800_000;

/**
 * True if everything in the session comes from the request that started it. Replaying the session then gains nothing
 * over repeating the request. False for a pushed request: it cannot be repeated, and it cannot fill the store, because
 * it costs its client more than opening a page.
 */
export function isUnproven(session: HostAuthenticationSession): boolean {
  const { request, at, userId, bySession, stepsUp, link, away, brokered, linking } = session;
  const isAtStart = at === 'authenticate' || at === 'registration';
  const laterState = [userId, stepsUp, link, away, brokered, linking, request.pushed, request.linkOnly];
  return isAtStart && !bySession && laterState.every((value) => value === undefined);
}

/**
 * Encrypts a session for a URL.
 * @returns undefined if it is too long
 */
export async function encryptSession(
  encryption: SessionEncryption,
  exchange: Exchange,
  key: AuthenticationSessionKey,
  { session, expiresAt }: UrlSession,
): Promise<string | undefined> {
  const payload = { iss: exchange.realm.issuer, exp: Math.floor(expiresAt / 1000), place: keyHash(key), session };
  const encrypted = await encryption.encrypt(exchange, TOKEN_TYPE, payload);
  return encrypted.length <= MAX_LENGTH ? encrypted : undefined;
}

/** Decrypts a session of this browser, tab and realm; undefined if it has expired or is another's. */
export async function decryptSession(
  encryption: SessionEncryption,
  exchange: Exchange,
  key: AuthenticationSessionKey,
  encrypted: string,
): Promise<UrlSession | undefined> {
  const payload = await encryption.decrypt(exchange, TOKEN_TYPE, encrypted);
  if (payload === undefined || payload.place !== keyHash(key)) return undefined;
  return { session: payload.session as SerializedSession, expiresAt: Number(payload.exp) * 1000 };
}

/** The hash that binds the encrypted text to the browser's cookie: a URL without the cookie is worthless. */
function keyHash({ realm, rootId, tabId }: AuthenticationSessionKey): string {
  return hash('sha256', `${realm} ${rootId} ${tabId}`, 'base64url');
}

/** Limits how many unproven sessions that are too long for a URL this node stores. */
export class UnprovenSessionLimit {
  #periodStart = 0;
  #storedCount = 0;

  countSession(now: number): boolean {
    if (now - this.#periodStart >= PERIOD_MS) {
      this.#periodStart = now;
      this.#storedCount = 0;
    }
    this.#storedCount += 1;
    return this.#storedCount <= MAX_STORED;
  }
}
