import { type Calls, countsOf } from '../../api/providers.ts';

/** Milliseconds that a call took on average, as the language writes them; undefined where none has ended. */
export function meanOf(calls: Calls, language: string): string | undefined {
  const ended = countsOf(calls).calls - calls.running;
  if (ended === 0) return undefined;
  const mean = (calls.seconds / ended) * 1000;
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 2 }).format(mean);
}
