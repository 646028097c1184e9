import type { Session } from '@keyhost/spi';

/** The number of hexadecimal digits of a digest that are sent. */
const PREFIX_DIGITS = 5;
/** The maximum size of an answer in bytes: a range has about 900 lines, and padding. */
const MAX_ANSWER_BYTES = 512 * 1024;

/**
 * The number of times that a password was seen, according to the range API of Have I Been Pwned or a copy of it. Only
 * five digits of the digest leave the host, shared by some hundred digests (k-anonymity). The answer is padded, so its
 * length reveals nothing.
 * @param timeout seconds
 * @param digest SHA-1 in upper-case hexadecimal
 * @throws Error if there was no complete answer
 */
export async function queryRange(session: Session, url: string, timeout: number, digest: string): Promise<number> {
  const { status, body, truncated } = await session.outbound.request({
    url: `${url}${digest.slice(0, PREFIX_DIGITS)}`,
    headers: { 'add-padding': 'true', 'user-agent': 'keyhost-breached-passwords' },
    timeout,
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (status !== 200 || truncated) throw new Error(`the list of breached passwords answered with status ${status}`);
  return countIn(new TextDecoder().decode(body), digest.slice(PREFIX_DIGITS));
}

/**
 * The count of a digest in lines `DIGITS:COUNT`; 0 if it is not among them.
 * @throws Error if a line has another form
 */
export function countIn(lines: string, digits: string): number {
  let found = 0;
  for (const line of lines.split('\n')) {
    const text = line.trim();
    if (text === '') continue;
    const [, lineDigits, count] = /^([0-9A-Fa-f]{35}):(\d+)$/.exec(text) ?? [];
    if (lineDigits === undefined) throw new Error('the list of breached passwords has a line that is none');
    if (lineDigits.toUpperCase() === digits) found = Number(count);
  }
  return found;
}
