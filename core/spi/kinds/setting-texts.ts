import type { JsonObject } from '../json-schema.js';

/** A setting as Keycloak keeps it: a number or boolean as text, too, and a list as one text with `##` between the items. */
export function settingText(value: unknown): string {
  return [value].flat().map(String).join('##');
}

/** As `settingText`, for all of them. */
export function settingTexts(settings: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, settingText(value)]));
}
