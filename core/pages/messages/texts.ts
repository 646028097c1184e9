import type { Message } from '@keyhost/spi';
import { filledText } from '../../model/filled-text.js';
import { languagesOf } from '../../model/languages-of.js';
import { ACCOUNT_ENGLISH } from './account-english.js';
import { ACCOUNT_GERMAN } from './account-german.js';
import { ENGLISH } from './english.js';
import { GERMAN } from './german.js';

export type TextTable = Readonly<Record<string, string>>;

const OWN_ENGLISH: TextTable = { ...ACCOUNT_ENGLISH, ...ENGLISH };
/** Keyhost's own texts by language. */
const OWN: Readonly<Record<string, TextTable>> = { en: OWN_ENGLISH, de: { ...ACCOUNT_GERMAN, ...GERMAN } };

/** The languages that Keyhost speaks by itself. */
export const OWN_LOCALES: readonly string[] = Object.keys(OWN);

/** The texts of one language. */
export class Texts {
  readonly #layers: readonly TextTable[];
  readonly #languages: readonly string[];

  /** @param above tables that come before Keyhost's own, the strongest first */
  constructor(locale: string, above: readonly (TextTable | undefined)[] = []) {
    this.#languages = languagesOf(locale);
    const own = this.#languages.map((language) => OWN[language]);
    this.#layers = [...above, ...own].filter((table) => table !== undefined);
  }

  /**
   * Keycloak's rules: `${key}` stands for the text of `key`, and a key that nobody knows is shown as it is; unless the message
   * brings a text of its own. Parameters take their places in all of them.
   */
  text({ key, params = [], texts = {} }: Message): string {
    const name = /^\$\{(.+)\}$/s.exec(key)?.[1] ?? key;
    const language = this.#languages.find((one) => Object.hasOwn(texts, one));
    const known = this.#find(name);
    const pattern = known ?? (language === undefined ? undefined : texts[language]);
    if (pattern === undefined && params.length === 0) return name;
    // Words belong to the language of the text that they stand in.
    return filledText(pattern ?? name, params, known === undefined ? language : this.#languages[0]);
  }

  /** The text of a key that has no parameters or a few. */
  of(key: string, ...params: readonly string[]): string {
    return this.text({ key, params });
  }

  /** A name out of a realm file: text, or `${key}`. */
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
