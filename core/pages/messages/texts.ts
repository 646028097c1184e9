import type { Message } from '@keyhost/spi';
import { formatMessage } from '../../model/filled-text.js';
import { languagesOf } from '../../model/languages-of.js';
import { ACCOUNT_ENGLISH } from './account-english.js';
import { ACCOUNT_GERMAN } from './account-german.js';
import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';

export type TextTable = Readonly<Record<string, string>>;

const BUILT_IN_ENGLISH: TextTable = { ...ACCOUNT_ENGLISH, ...ENGLISH };
/** The built-in texts by language. */
const BUILT_IN_TEXTS: Readonly<Record<string, TextTable>> = {
  en: BUILT_IN_ENGLISH,
  de: { ...ACCOUNT_GERMAN, ...GERMAN },
};

/** The languages of the built-in texts. */
export const BUILT_IN_LOCALES: readonly string[] = Object.keys(BUILT_IN_TEXTS);

/** The texts of one language. */
export class Texts {
  readonly #layers: readonly TextTable[];
  readonly #languages: readonly string[];

  /** @param overrides tables that override the built-in texts, in order of precedence */
  constructor(locale: string, overrides: readonly (TextTable | undefined)[] = []) {
    this.#languages = languagesOf(locale);
    const builtIn = this.#languages.map((language) => BUILT_IN_TEXTS[language]);
    this.#layers = [...overrides, ...builtIn].filter((table) => table !== undefined);
  }

  /**
   * Returns the text of a message by Keycloak's rules: `${key}` means the text of `key`. For an unknown key it is the
   * text that the message itself contains, else the key. Parameters are filled into all of them.
   */
  text({ key, params = [], texts = {} }: Message): string {
    const name = /^\$\{(.+)\}$/s.exec(key)?.[1] ?? key;
    const language = this.#languages.find((candidate) => Object.hasOwn(texts, candidate));
    const knownText = this.#find(name);
    const pattern = knownText ?? (language === undefined ? undefined : texts[language]);
    if (pattern === undefined && params.length === 0) return name;
    // Format parameters in the language of the text.
    return formatMessage(pattern ?? name, params, knownText === undefined ? language : this.#languages[0]);
  }

  /** The text of a key, with parameters. */
  of(key: string, ...params: readonly string[]): string {
    return this.text({ key, params });
  }

  /** Returns a name from a realm file, which is either text or `${key}`. */
  name(name: string): string {
    return /^\$\{.+\}$/s.test(name) ? this.of(name) : name;
  }

  #find(key: string): string | undefined {
    for (const table of this.#layers) {
      const text = Object.hasOwn(table, key) ? table[key] : undefined;
      if (typeof text === 'string') return text;
    }
    return undefined;
  }
}
