import test from 'ava';
import { durationInWords } from '../../core/model/duration-in-words.js';

test('durations in words: a duration is formatted for BCP 47 tags, for locales as Java writes them, and in English for anything else', (t) => {
  const rows = [
    ['en', '2 hours'],
    ['de', '2 Stunden'],
    ['pt_BR', '2 horas'],
    ['zh_Hans_CN', '2小时'],
    ['not a locale!', '2 hours'],
    ['', '2 hours'],
  ] as const;
  for (const [locale, text] of rows) t.is(durationInWords(7200, locale), text, locale);
});
