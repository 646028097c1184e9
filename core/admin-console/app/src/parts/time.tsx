import { useLanguage } from '../messages/language.tsx';

/** A time in the user's language and time zone. @param at ISO 8601, or milliseconds since the epoch */
export function Time({ at }: { at: string | number }) {
  const { language } = useLanguage();
  const date = new Date(at);
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
  return <time dateTime={date.toISOString()}>{text}</time>;
}

/** A duration in its two largest units. */
export function Duration({ milliseconds }: { milliseconds: number }) {
  const { language } = useLanguage();
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  let rest = Math.floor(milliseconds / 1000);
  const parts: string[] = [];
  for (const [unit, seconds] of units) {
    const count = Math.floor(rest / seconds);
    rest %= seconds;
    if (count === 0 && (unit !== 'second' || parts.length > 0)) continue;
    parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count));
    if (parts.length === 2) break;
  }
  return <>{parts.join(' ')}</>;
}
