import { defined } from '../../model/defined.js';
import { filledText } from '../../model/filled-text.js';
import { languagesOf } from '../../model/languages-of.js';
import type { AttributeMistake } from './check-profile.js';

/**
 * Keycloak's response for a value that the user profile rejects. It includes the text of a plugin's message key, which
 * clients cannot know.
 * @param locale of the text, a BCP 47 tag; English if the plugin has none in that language
 */
export function mistakeForPrograms({ attribute, message, parameters, texts = {} }: AttributeMistake, locale: string) {
  const params = [attribute, ...parameters];
  const language = languagesOf(locale).find((one) => Object.hasOwn(texts, one));
  const text = language === undefined ? undefined : texts[language];
  const said = text === undefined ? undefined : filledText(text, params.map(String));
  return { field: attribute, errorMessage: message, params, ...defined({ error_description: said }) };
}
