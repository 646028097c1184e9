import type { Session } from '@keyhost/spi';

/** Hexadecimal digits of a digest that are sent. */
const PREFIX = 5;
/** Bytes: a range has about 900 lines, and padding. */
const LARGEST = 512 * 1024;

/**
 * How often a password was seen, by the range API of Have I Been Pwned or a copy of it: five digits of the digest leave the host, which
 * some hundred digests share (k-anonymity). The answer is padded, so that its length tells nothing.
 * @param timeout seconds
 * @param digest SHA-1 in upper-case hexadecimal
 * @throws Error where no whole answer came
 */
export async function askRange(session: Session, url: string, timeout: number, digest: string): Promise<number> {
  const { status, body, truncated } = await session.outbound.request({
    url: `${url}${digest.slice(0, PREFIX)}`,
    headers: { 'add-padding': 'true', 'user-agent': 'keyhost-breached-passwords' },
    timeout,
    maxBytes: LARGEST,
  });
  if (status !== 200 || truncated) throw new Error(`the list of breached passwords answered with status ${status}`);
  return countIn(new TextDecoder().decode(body), digest.slice(PREFIX));
}

/**
 * The count of a digest in lines `DIGITS:COUNT`; 0: it is not among them.
 * @throws Error where a line is none
 */
export function countIn(lines: string, digits: string): number {
  let found = 0;
  for (const line of lines.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    const [, own, count] = /^([0-9A-Fa-f]{35}):(\d+)$/.exec(text) ?? [];
    if (own === undefined) throw new Error('the list of breached passwords has a line that is none');
    if (own.toUpperCase() === digits) found = Number(count);
  }
  return found;
}
