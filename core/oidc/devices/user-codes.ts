import { randomInt } from 'node:crypto';

/** RFC 8628 §6.1: letters that cannot be confused and spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
/** Maximum length of the input in characters. */
const INPUT_LIMIT = 100;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** A random user code (RFC 8628 §3.2) in its stored form: `WDJBMJHT`, one of 20⁸. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** A user code in its displayed form: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** The user code in typed text, ignoring case and separators; undefined if it is none. */
export function parseUserCode(text: string): string | undefined {
  if (text.length > INPUT_LIMIT) return undefined;
  const code = text.toUpperCase().replace(/[^A-Z]/g, '');
  return CODE.test(code) ? code : undefined;
}
