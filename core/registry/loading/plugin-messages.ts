import type { JsonSchema, Message } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { isObject } from '../../model/is-object.js';
import type { PluginOrigin } from './registered-provider.js';

type HasMessages = Pick<PluginOrigin, 'messages'>;

/** Describes the mistake in the messages of a plugin; undefined if there is none. */
export function messagesProblem(messages: unknown): string | undefined {
  if (messages === undefined) return undefined;
  if (!isObject(messages)) return 'messages must be texts by language and key: { en: { key: "Text" } }';
  for (const [locale, texts] of Object.entries(messages)) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(locale)) return `messages.${locale} must be a language, such as de`;
    if (!isObject(texts)) return `messages.${locale} must be texts by their keys`;
    const wrong = Object.entries(texts).find(([, text]) => typeof text !== 'string');
    if (wrong !== undefined) return `messages.${locale}.${wrong[0]} must be a text`;
  }
  return undefined;
}

/** A message key as `${key}`, as in Keycloak's admin console, or a text that may be a key. */
function keyOf(text: string): string {
  return /^\$\{(.+)\}$/s.exec(text)?.[1] ?? text;
}

/**
 * Returns a text of a plugin's declaration for pages, with the plugin's own texts. The realm and the theme may override
 * them.
 */
export function declaredMessage({ messages = {} }: HasMessages, text: string): Message {
  const key = keyOf(text);
  const own = Object.entries(messages).flatMap(([locale, texts]) =>
    Object.hasOwn(texts, key) ? [[locale, texts[key] ?? ''] as const] : [],
  );
  return { key, ...(own.length === 0 ? {} : { texts: Object.fromEntries(own) }) };
}

/**
 * Returns a text of a plugin's declaration for admins: in the first of these languages that the plugin supports, else
 * in English, else as declared.
 * @param languages BCP 47 tags, in order of preference
 */
export function declaredText({ messages = {} }: HasMessages, text: string, languages: readonly string[]): string {
  const key = keyOf(text);
  for (const wanted of [...languages, 'en']) {
    // For a reader who prefers English, the declared English text is better than another language.
    for (const locale of [wanted, wanted.split('-', 1)[0] ?? '']) {
      const texts = Object.hasOwn(messages, locale) ? messages[locale] : undefined;
      if (texts !== undefined && Object.hasOwn(texts, key)) return texts[key] ?? key;
      if (locale === 'en') return key;
    }
  }
  return key;
}

/** Returns a schema with its titles and descriptions translated for admins. */
export function declaredSchema(plugin: HasMessages, schema: JsonSchema, languages: readonly string[]): JsonSchema {
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
