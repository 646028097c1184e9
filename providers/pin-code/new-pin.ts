import { NEW_PIN } from './texts.js';

/** Digits of a new PIN, where the action has no other setting. */
export const DIGITS = 6;

/** What is wrong with a new PIN; undefined: nothing. */
export function problemOf(pin: string, repeated: string, digits: number) {
  if (!new RegExp(`^[0-9]{${digits}}$`).test(pin)) return NEW_PIN.wrongLength(digits);
  if (isEasy(pin)) return NEW_PIN.easy;
  return pin === repeated ? undefined : NEW_PIN.differs;
}

/** One digit again and again, or digits in a row: what is tried first. */
function isEasy(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10));
  const [step = 0] = steps;
  return steps.size === 1 && [0, 1, 9].includes(step);
}
