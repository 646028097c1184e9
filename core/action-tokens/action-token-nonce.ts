/**
 * When the token with this nonce was issued, in milliseconds since the epoch. A nonce of another UUID version contains
 * no time, so its `iat` is used, which has seconds only.
 */
export function issueTime(nonce: string, iat: number): number {
  return nonce[14] === '7' ? Number.parseInt(nonce.slice(0, 8) + nonce.slice(9, 13), 16) : iat * 1000;
}
