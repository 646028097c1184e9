import { defined } from '../../model/defined.js';
import { filledText } from '../../model/filled-text.js';
import { languagesOf } from '../../model/languages-of.js';
import type { AttributeMistake } from './check-profile.js';

/**
 * Keycloak's answer to a value that its user profile does not allow. Of a plugin's key it has the text, too: nobody else knows it.
 * @param locale of the text, a BCP 47 tag; English where the plugin has none of that
 */
export function mistakeForPrograms({ attribute, message, parameters, texts = {} }: AttributeMistake, locale: string) {
  const params = [attribute, ...parameters];
  const language = languagesOf(locale).find((one) => Object.hasOwn(texts, one));
  const text = language === undefined ? undefined : texts[language];
  const said = text === undefined ? undefined : filledText(text, params.map(String));
  return { field: attribute, errorMessage: message, params, ...defined({ error_description: said }) };
}
