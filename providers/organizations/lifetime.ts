/** How long something is valid, in words: `amount` of a unit. */
export interface Lifetime {
  readonly amount: number;
  /** The end of a message key: each unit has a text of its own. */
  readonly unit: 'Seconds' | 'Minutes' | 'Hours' | 'Days';
  readonly en: string;
  readonly de: string;
}

const UNITS = [
  { seconds: 86_400, unit: 'Days', en: ['day', 'days'], de: ['Tag', 'Tage'] },
  { seconds: 3600, unit: 'Hours', en: ['hour', 'hours'], de: ['Stunde', 'Stunden'] },
  { seconds: 60, unit: 'Minutes', en: ['minute', 'minutes'], de: ['Minute', 'Minuten'] },
] as const;
const SECONDS = { seconds: 1, unit: 'Seconds', en: ['second', 'seconds'], de: ['Sekunde', 'Sekunden'] } as const;

/**
 * The largest unit that is true: 36 hours are no 2 days. What is up to 1 % short of a whole number counts as whole, for the time
 * that has passed since it was set, and up to 5 % more are left out.
 */
export function lifetimeOf(seconds: number): Lifetime {
  const amountIn = (unit: number) => Math.floor((seconds * 1.01) / unit);
  const found =
    UNITS.find((one) => amountIn(one.seconds) > 0 && seconds - amountIn(one.seconds) * one.seconds <= seconds * 0.05) ??
    SECONDS;
  const amount = found === SECONDS ? Math.max(1, Math.floor(seconds)) : amountIn(found.seconds);
  const [en, de] = amount === 1 ? [found.en[0], found.de[0]] : [found.en[1], found.de[1]];
  return { amount, unit: found.unit, en, de };
}
