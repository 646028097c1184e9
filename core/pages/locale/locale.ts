import { acceptedLanguages, LANGUAGES_LIMIT } from '../../model/accepted-languages.js';
import type { Realm } from '../../model/realm.js';
import { BUILT_IN_LOCALES } from '../messages/texts.js';
import { usesThemePlugin } from '../theme-of-realm.js';

/** The languages that a request asks for, in order of precedence. */
export interface RequestedLocales {
  readonly kcLocale: string | undefined;
  readonly uiLocales: string | undefined;
  readonly cookie: string | undefined;
  readonly acceptLanguage: string | undefined;
}

const OFFERED_LOCALES = Symbol('offered locales');

/** The languages that a realm offers and that have texts; empty if internationalization is off. */
export function offeredLocales(realm: Realm): readonly string[] {
  return realm.derive(OFFERED_LOCALES, () =>
    realm.settings.locales.map(canonicalize).filter((locale) => locale !== undefined && hasTexts(realm, locale)),
  ) as readonly string[];
}

/**
 * True if a language has texts: built-in ones, the realm's, or possibly a theme's. Otherwise the whole page is in
 * another language. A page with English texts must not be marked as Arabic, and its times must be in English.
 */
function hasTexts(realm: Realm, locale: string): boolean {
  if (BUILT_IN_LOCALES.includes(locale.split('-', 1)[0] ?? '') || usesThemePlugin(realm)) return true;
  return Object.entries(realm.settings.texts).some(
    ([tag, texts]) => canonicalize(tag) === locale && Object.keys(texts).length > 0,
  );
}

/**
 * Chooses the language of a realm's page: the first requested language that the realm offers, or else the realm's
 * default, or else English.
 */
export function chooseLocale(realm: Realm, requested: RequestedLocales): string {
  const offered = offeredLocales(realm);
  const defaultLocale = () => {
    const locale = canonicalize(realm.settings.defaultLocale);
    return locale !== undefined && hasTexts(realm, locale) ? locale : 'en';
  };
  if (offered.length === 0) return defaultLocale();
  const tags = [
    requested.kcLocale ?? '',
    ...(requested.uiLocales ?? '').slice(0, LANGUAGES_LIMIT).split(' '),
    requested.cookie ?? '',
    ...acceptedLanguages(requested.acceptLanguage ?? ''),
  ];
  for (const tag of tags) {
    const match = matchLocale(offered, tag);
    if (match !== undefined) return match;
  }
  return defaultLocale();
}

/** Looks up a language (RFC 4647 §3.4): `de-AT-x` matches `de-AT`, then `de`, and finally any `de-…`. */
export function matchLocale(offered: readonly string[], tag: string): string | undefined {
  const canonicalTag = canonicalize(tag);
  if (canonicalTag === undefined) return undefined;
  const subtags = canonicalTag.split('-');
  for (let length = subtags.length; length > 0; length -= 1) {
    const range = subtags.slice(0, length).join('-');
    if (offered.includes(range)) return range;
  }
  return offered.find((locale) => locale.split('-', 1)[0] === subtags[0]);
}

/** The canonical BCP 47 tag; undefined if it is invalid. Accepts Java's `pt_BR` too. */
function canonicalize(tag: string): string | undefined {
  if (tag === '') return undefined;
  try {
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** The name of a language in that language: `Deutsch`. */
export function languageLabel(locale: string): string {
  const label = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return label.charAt(0).toLocaleUpperCase(locale) + label.slice(1);
}

/** Languages with right-to-left scripts. */
const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

export function textDirection(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(locale.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr';
}
