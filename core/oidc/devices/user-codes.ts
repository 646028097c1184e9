import { randomInt } from 'node:crypto';

/** RFC 8628 §6.1: letters that are hard to confuse. Without vowels they spell no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;
/** Maximum length of the input in characters. */
const INPUT_LIMIT = 100;
const CODE_PATTERN = new RegExp(`^[${LETTERS}]{${CODE_LENGTH}}$`);

/** A random user code (RFC 8628 §3.2) in its stored form: `WDJBMJHT`, one of 20⁸. */
export function newUserCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** A user code in its displayed form: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** Parses a typed user code, ignoring case and separators; undefined if it is not one. */
export function parseUserCode(text: string): string | undefined {
  if (text.length > INPUT_LIMIT) return undefined;
  const code = text.toUpperCase().replace(/[^A-Z]/g, '');
  return CODE_PATTERN.test(code) ? code : undefined;
}
