import type { JsonObject } from '../json-schema.js';

/** Settings as Keycloak keeps them: numbers and booleans as texts, too, and lists as one text with `##` between the items. */
export function settingTexts(settings: JsonObject): Readonly<Record<string, string>> {
  const texts = Object.entries(settings).map(([name, value]) => [name, [value].flat().join('##')]);
  return Object.fromEntries(texts);
}
