import { createHmac, timingSafeEqual } from 'node:crypto';
import { OTP_ALGORITHMS, type OtpFormat } from '../../../model/otp-policy.js';

/** RFC 4226 §5.3. */
export function codeAt(
  secret: Buffer,
  counter: number,
  { digits, algorithm }: Pick<OtpFormat, 'digits' | 'algorithm'>,
): string {
  const moving = Buffer.alloc(8);
  moving.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(OTP_ALGORITHMS[algorithm], secret).update(moving).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/**
 * The counter that the code belongs to; undefined if none in range. Time-based codes (RFC 6238) may be off by `window`
 * periods, counter-based ones may be `window` counters ahead.
 * @param now milliseconds since the epoch
 */
export function counterOf(
  secret: Buffer,
  code: string,
  format: OtpFormat,
  { window, now }: { window: number; now: number },
): number | undefined {
  const timed = format.subType === 'totp';
  const middle = timed ? Math.floor(now / 1000 / format.period) : format.counter;
  let found: number | undefined;
  for (let counter = Math.max(0, timed ? middle - window : middle); counter <= middle + window; counter += 1) {
    if (equal(codeAt(secret, counter, format), code)) found ??= counter;
  }
  return found;
}

function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6 without padding, the format of authenticator apps. */
export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** @throws Error if it is not base32 */
export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text.toUpperCase().replace(/[\s=]/g, '')) {
    const value = BASE32.indexOf(letter);
    if (value < 0) throw new Error('not base32');
    bits += value.toString(2).padStart(5, '0');
  }
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
