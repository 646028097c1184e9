import type { Message } from '@keyhost/spi';
import { filledText } from '../../model/filled-text.js';
import { languagesOf } from '../../model/languages-of.js';
import { ACCOUNT_ENGLISH } from './account-english.js';
import { ACCOUNT_GERMAN } from './account-german.js';
import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';

export type TextTable = Readonly<Record<string, string>>;

const OWN_ENGLISH: TextTable = { ...ACCOUNT_ENGLISH, ...ENGLISH };
/** The built-in texts by language. */
const OWN: Readonly<Record<string, TextTable>> = { en: OWN_ENGLISH, de: { ...ACCOUNT_GERMAN, ...GERMAN } };

/** The languages of the built-in texts. */
export const OWN_LOCALES: readonly string[] = Object.keys(OWN);

/** The texts of one language. */
export class Texts {
  readonly #layers: readonly TextTable[];
  readonly #languages: readonly string[];

  /** @param above tables that override the built-in texts, in order of precedence */
  constructor(locale: string, above: readonly (TextTable | undefined)[] = []) {
    this.#languages = languagesOf(locale);
    const own = this.#languages.map((language) => OWN[language]);
    this.#layers = [...above, ...own].filter((table) => table !== undefined);
  }

  /**
   * Keycloak's rules: `${key}` means the text of `key`, and an unknown key is shown unchanged, unless the message has a
   * text of its own. Parameters are filled into all of them.
   */
  text({ key, params = [], texts = {} }: Message): string {
    const name = /^\$\{(.+)\}$/s.exec(key)?.[1] ?? key;
    const language = this.#languages.find((one) => Object.hasOwn(texts, one));
    const known = this.#find(name);
    const pattern = known ?? (language === undefined ? undefined : texts[language]);
    if (pattern === undefined && params.length === 0) return name;
    // Format parameters in the language of the text.
    return filledText(pattern ?? name, params, known === undefined ? language : this.#languages[0]);
  }

  /** The text of a key, with parameters. */
  of(key: string, ...params: readonly string[]): string {
    return this.text({ key, params });
  }

  /** A name from a realm file: text, or `${key}`. */
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
