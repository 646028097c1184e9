import { NEW_PIN } from './texts.js';

/** The number of digits of a new PIN, unless the action sets another. */
export const DIGITS = 6;

/** Describes the fault of a new PIN; undefined if it is accepted. */
export function problemOf(pin: string, repeated: string, digits: number) {
  if (!new RegExp(`^[0-9]{${digits}}$`).test(pin)) return NEW_PIN.wrongLength(digits);
  if (isEasy(pin)) return NEW_PIN.easy;
  return pin === repeated ? undefined : NEW_PIN.differs;
}

/** True for a repeated digit, and for ascending or descending digits. Attackers try these PINs first. */
function isEasy(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, at) => (Number(digit) - Number(pin[at]) + 10) % 10));
  const [step = 0] = steps;
  return steps.size === 1 && [0, 1, 9].includes(step);
}
