import { createHash } from 'node:crypto';
import { unescapeHtml, type Visit } from './form-browser.js';

export interface Challenge {
  readonly algorithm: string;
  readonly challenge: string;
  readonly maxnumber: number;
  readonly salt: string;
  readonly signature: string;
}

/** The data that the captcha's script reads from a page. */
export function puzzleOf({ text }: Visit): {
  readonly challenge: Challenge;
  readonly sends: boolean;
  readonly texts: Record<string, string>;
} {
  const value = /name="altcha-challenge" value="([^"]*)"/.exec(text)?.[1];
  if (value === undefined) throw new Error(`the page has no captcha: ${text.slice(0, 2000)}`);
  return JSON.parse(unescapeHtml(value));
}

/** The number that solves it. */
export function solve({ challenge, salt, maxnumber }: Challenge): number {
  for (let number = 0; number <= maxnumber; number += 1) {
    if (createHash('sha256').update(`${salt}${number}`).digest('hex') === challenge) return number;
  }
  throw new Error('nothing solves the challenge');
}

/** The form field that the browser sends. */
export const answerWith = (challenge: object, number: number) => ({
  altcha: Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64'),
});

/** The answer to the captcha of a page. */
export function solved(page: Visit): { altcha: string } {
  const { challenge } = puzzleOf(page);
  return answerWith(challenge, solve(challenge));
}
