import type { JsonSchema, Message } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { isObject } from '../../model/is-object.js';
import type { PluginOrigin } from './registered-provider.js';

type WithMessages = Pick<PluginOrigin, 'messages'>;

/** Describes what is wrong with the messages of a plugin; undefined if they are valid. */
export function messagesProblem(messages: unknown): string | undefined {
  if (messages === undefined) return undefined;
  if (!isObject(messages)) return 'messages must be texts by language and key: { en: { key: "Text" } }';
  for (const [locale, texts] of Object.entries(messages)) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale)) return `messages.${locale} must be a language, such as de`;
    if (!isObject(texts)) return `messages.${locale} must be texts by their keys`;
    const nonText = Object.entries(texts).find(([, text]) => typeof text !== 'string');
    if (nonText !== undefined) return `messages.${locale}.${nonText[0]} must be a text`;
  }
  return undefined;
}

/** Returns the message key in `${key}`, Keycloak's notation. Any other text is its own key. */
function keyOf(text: string): string {
  return /^\$\{(.+)\}$/s.exec(text)?.[1] ?? text;
}

/**
 * Returns a text of a plugin's declaration as a page message, with the plugin's translations. The realm and the theme
 * may override them.
 */
export function declaredMessage({ messages = {} }: WithMessages, text: string): Message {
  const key = keyOf(text);
  const pluginTexts = Object.entries(messages).flatMap(([locale, texts]) =>
    Object.hasOwn(texts, key) ? [[locale, texts[key] ?? ''] as const] : [],
  );
  return { key, ...(pluginTexts.length === 0 ? {} : { texts: Object.fromEntries(pluginTexts) }) };
}

/**
 * Translates a text of a plugin's declaration for an admin. It returns the first translation in these languages.
 * Without one, or if English is reached first, it returns the declared text, for `${key}` the key alone.
 * @param languages BCP 47 tags, in order of preference
 */
export function declaredText({ messages = {} }: WithMessages, text: string, languages: readonly string[]): string {
  const key = keyOf(text);
  for (const language of [...languages, 'en']) {
    // Declarations are in English, so for a reader who prefers English the declared text is better than another
    // language.
    for (const locale of [language, language.split('-', 1)[0] ?? '']) {
      const texts = Object.hasOwn(messages, locale) ? messages[locale] : undefined;
      if (texts !== undefined && Object.hasOwn(texts, key)) return texts[key] ?? key;
      if (locale === 'en') return key;
    }
  }
  return key;
}

/** Returns a schema with its titles and descriptions translated for an admin. */
export function declaredSchema(plugin: WithMessages, schema: JsonSchema, languages: readonly string[]): JsonSchema {
  if (plugin.messages === undefined) return schema;
  const translate = (text: unknown) => (typeof text === 'string' ? declaredText(plugin, text, languages) : undefined);
  const { properties, items, additionalProperties, title, description } = schema;
  return {
    ...schema,
    ...defined({
      title: translate(title),
      description: translate(description),
      items: items && declaredSchema(plugin, items, languages),
      additionalProperties:
        typeof additionalProperties === 'object'
          ? declaredSchema(plugin, additionalProperties, languages)
          : additionalProperties,
      properties:
        properties &&
        Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [name, declaredSchema(plugin, property, languages)]),
        ),
    }),
  };
}
