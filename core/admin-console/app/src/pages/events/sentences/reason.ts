import type { Language } from '../../../messages/language.tsx';
import { reasonGerman } from './reason-german.ts';
import { reasonTexts } from './reason-texts.ts';

const REASONS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: reasonTexts, de: reasonGerman };

/**
 * An error code in plain words, for the refused credential if the event names one (`*`: that of a plugin). The code
 * itself if it is unknown, for instance that of a plugin.
 */
export function reasonOf(error: string, details: Readonly<Record<string, string>>, language: Language): string {
  const reasons = REASONS[language];
  const { credential_type: type } = details;
  const specific = type === undefined ? undefined : (own(reasons, `${error} ${type}`) ?? own(reasons, `${error} *`));
  return specific ?? own(reasons, error) ?? error;
}

/** A member of the object itself: codes of plugins can have names such as `toString`. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
