import type { Described, Description, JsonSchema } from '@keyhost/spi';
import { acceptedLanguages } from '../model/accepted-languages.js';
import { defined } from '../model/defined.js';
import { declaredSchema, declaredText } from '../registry/loading/plugin-messages.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import type { AdminCall } from './operation.js';

interface TextSource {
  readonly plugin: Pick<RegisteredProvider['plugin'], 'messages'>;
}

/**
 * The texts that providers declare for people, in a language of the request's `Accept-Language`, or else in English.
 */
export class AdminTexts {
  readonly #languages: readonly string[];

  constructor({ exchange }: { readonly exchange?: AdminCall['exchange'] | undefined }) {
    this.#languages = acceptedLanguages(exchange?.ctx.get('accept-language') ?? '');
  }

  text({ plugin }: TextSource, text: string): string {
    return declaredText(plugin, text, this.#languages);
  }

  /** The provider's description; undefined if it has none. */
  description<T extends Description>(provider: TextSource & { readonly declaration: unknown }): T | undefined {
    const { describe } = provider.declaration as Described<T>;
    if (describe === undefined) return undefined;
    const { displayName, helpText } = describe;
    return {
      ...describe,
      displayName: this.text(provider, displayName),
      ...defined({ helpText: helpText && this.text(provider, helpText) }),
    };
  }

  schema({ plugin }: TextSource, schema: JsonSchema | undefined): JsonSchema | undefined {
    return schema && declaredSchema(plugin, schema, this.#languages);
  }
}
