import { createHmac, timingSafeEqual } from 'node:crypto';
import { OTP_ALGORITHMS, type OtpFormat } from '../../../model/otp-policy.js';

/** The one-time password for a counter (RFC 4226 §5.3). */
export function codeAt(
  secret: Buffer,
  counter: number,
  { digits, algorithm }: Pick<OtpFormat, 'digits' | 'algorithm'>,
): string {
  const counterBytes = Buffer.alloc(8);
  counterBytes.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(OTP_ALGORITHMS[algorithm], secret).update(counterBytes).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/**
 * The counter to which the code belongs; undefined if there is none in range. Time-based codes (RFC 6238) may be off by
 * `window` periods; counter-based ones may be up to `window` counters ahead.
 * @param now milliseconds since the epoch
 */
export function findCounter(
  secret: Buffer,
  code: string,
  format: OtpFormat,
  { window, now }: { window: number; now: number },
): number | undefined {
  const isTimeBased = format.subType === 'totp';
  const expected = isTimeBased ? Math.floor(now / 1000 / format.period) : format.counter;
  let matched: number | undefined;
  for (
    let counter = Math.max(0, isTimeBased ? expected - window : expected);
    counter <= expected + window;
    counter += 1
  ) {
    if (isEqual(codeAt(secret, counter, format), code)) matched ??= counter;
  }
  return matched;
}

function isEqual(a: string, b: string): boolean {
  const first = Buffer.from(a);
  const second = Buffer.from(b);
  return first.length === second.length && timingSafeEqual(first, second);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes as base32 without padding (RFC 4648 §6), the format of authenticator apps. */
export function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/**
 * Decodes base32.
 * @throws Error if the text is not base32
 */
export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text.toUpperCase().replace(/[\s=]/g, '')) {
    const value = BASE32.indexOf(letter);
    if (value < 0) throw new Error('not base32');
    bits += value.toString(2).padStart(5, '0');
  }
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
