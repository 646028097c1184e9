import type { JsonObject } from '../json-schema.js';

/** A setting in Keycloak's stored form: a text, also for a number or boolean; lists are joined by `##`. */
export function settingText(value: unknown): string {
  return [value].flat().map(String).join('##');
}

/** Applies `settingText` to all settings. */
export function settingTexts(settings: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, settingText(value)]));
}
