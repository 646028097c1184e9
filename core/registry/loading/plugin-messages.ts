import type { JsonSchema, Message } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { PluginOrigin } from './registered-provider.js';

type Speaker = Pick<PluginOrigin, 'messages'>;

/** What is wrong with the messages of a plugin; undefined: nothing. */
export function messagesProblem(messages: unknown): string | undefined {
  if (messages === undefined) return undefined;
  if (!isTable(messages)) return 'messages must be texts by language and key: { en: { key: "Text" } }';
  for (const [locale, texts] of Object.entries(messages)) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale)) return `messages.${locale} must be a language, such as de`;
    if (!isTable(texts)) return `messages.${locale} must be texts by their keys`;
    const wrong = Object.entries(texts).find(([, text]) => typeof text !== 'string');
    if (wrong !== undefined) return `messages.${locale}.${wrong[0]} must be a text`;
  }
  return undefined;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `${key}`, as Keycloak's console writes keys, or a text that may be one. */
function keyOf(text: string): string {
  return /^\$\{(.+)\}$/s.exec(text)?.[1] ?? text;
}

/** A text of a plugin's declaration for pages, with the plugin's own words: realm and theme may have others. */
export function declaredMessage({ messages = {} }: Speaker, text: string): Message {
  const key = keyOf(text);
  const own = Object.entries(messages).flatMap(([locale, texts]) =>
    Object.hasOwn(texts, key) ? [[locale, texts[key] ?? ''] as const] : [],
  );
  return { key, ...(own.length === 0 ? {} : { texts: Object.fromEntries(own) }) };
}

/**
 * A text of a plugin's declaration for admins: in the first of the languages that the plugin has it in, else in English, else as it
 * was declared.
 * @param languages BCP 47 tags, the most wanted first
 */
export function declaredText({ messages = {} }: Speaker, text: string, languages: readonly string[]): string {
  const key = keyOf(text);
  for (const wanted of [...languages, 'en']) {
    // What is declared in English is a better answer to who wants English than another language.
    for (const locale of [wanted, wanted.split('-', 1)[0] ?? '']) {
      const texts = Object.hasOwn(messages, locale) ? messages[locale] : undefined;
      if (texts !== undefined && Object.hasOwn(texts, key)) return texts[key] ?? key;
      if (locale === 'en') return key;
    }
  }
  return key;
}

/** A schema with its titles and descriptions for admins. */
export function declaredSchema(plugin: Speaker, schema: JsonSchema, languages: readonly string[]): JsonSchema {
  if (plugin.messages === undefined) return schema;
  const said = (text: unknown) => (typeof text === 'string' ? declaredText(plugin, text, languages) : undefined);
  const { properties, items, title, description } = schema;
  return {
    ...schema,
    ...defined({
      title: said(title),
      description: said(description),
      items: items && declaredSchema(plugin, items, languages),
      properties:
        properties &&
        Object.fromEntries(
          Object.entries(properties).map(([name, one]) => [name, declaredSchema(plugin, one, languages)]),
        ),
    }),
  };
}
