import { randomBytes } from 'node:crypto';

/**
 * Returns a nonce that contains its time in milliseconds: a UUID of version 7 (RFC 9562 §5.7).
 * @param now milliseconds since the epoch
 */
export function newNonce(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * When the token with this nonce was issued, in milliseconds since the epoch. A nonce of another UUID version contains
 * no time, so its `iat` is used, which has seconds only.
 */
export function issueTime(nonce: string, iat: number): number {
  return nonce[14] === '7' ? Number.parseInt(nonce.slice(0, 8) + nonce.slice(9, 13), 16) : iat * 1000;
}
