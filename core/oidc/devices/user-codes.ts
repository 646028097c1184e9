import { randomInt } from 'node:crypto';

/** RFC 8628 §6.1: letters that are not mistaken for one another, and spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
/** Longest input that is looked at, in characters. */
const INPUT_LIMIT = 100;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** A random user code (RFC 8628 §3.2) as it is stored: `WDJBMJHT`, one of 20⁸. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** A user code as people are shown it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** The user code that somebody typed, in any case and with anything but letters between them; undefined: it is none. */
export function typedUserCode(text: string): string | undefined {
  if (text.length > INPUT_LIMIT) return undefined;
  const code = text.toUpperCase().replace(/[^A-Z]/g, '');
  return CODE.test(code) ? code : undefined;
}
