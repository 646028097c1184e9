import { randomOctets } from './random-token.js';

/**
 * Returns a UUID of version 7 (RFC 9562 §5.7): 48 bits of time, then 74 random bits. A database adds rows with such IDs
 * at the end of an index instead of at a random place, and writes far fewer pages.
 * @param now milliseconds since the epoch
 */
export function timeOrderedId(now: number): string {
  const octets = randomOctets(16);
  octets.writeUIntBE(now, 0, 6);
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x70;
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
  const hex = octets.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
