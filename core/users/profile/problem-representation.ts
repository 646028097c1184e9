import { defined } from '../../model/defined.js';
import { formatMessage } from '../../model/filled-text.js';
import { languagesOf } from '../../model/languages-of.js';
import type { AttributeProblem } from './profile-problems.js';

/**
 * Keycloak's response for a value that violates the user profile. For a plugin's violation it includes the text,
 * because clients cannot know the plugin's message keys.
 * @param locale of the text, a BCP 47 tag; there is no text if the plugin has none in that language
 */
export function profileProblemRepresentation(
  { attribute, message, parameters, texts = {} }: AttributeProblem,
  locale: string,
) {
  const params = [attribute, ...parameters];
  const language = languagesOf(locale).find((candidate) => Object.hasOwn(texts, candidate));
  const text = language === undefined ? undefined : texts[language];
  const description = text === undefined ? undefined : formatMessage(text, params.map(String));
  return { field: attribute, errorMessage: message, params, ...defined({ error_description: description }) };
}
