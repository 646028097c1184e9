import type { Calls } from '../api/providers.ts';
import { useLanguage } from '../messages/language.tsx';

/** The outcomes of calls, such as `12 good, 3 took too long`. */
export function CallEnds({ calls: { ends, running } }: { calls: Calls }) {
  const { language, messages } = useLanguage();
  const { calls } = messages;
  const words: Readonly<Record<string, string>> = calls.ends;
  const counted = [...Object.entries(ends), ...(running > 0 ? [['running', running] as const] : [])];
  if (counted.length === 0) return calls.none;
  const number = new Intl.NumberFormat(language);
  return counted.map(([end, count]) => `${number.format(count)} ${words[end] ?? end}`).join(', ');
}

/** The average duration of a call in milliseconds, formatted for the language; undefined if none has ended. */
export function meanOf({ ends, seconds }: Calls, language: string): string | undefined {
  const ended = Object.values(ends).reduce((sum, count) => sum + count, 0);
  if (ended === 0) return undefined;
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 2 }).format((seconds / ended) * 1000);
}
