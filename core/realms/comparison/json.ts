export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the keys of all objects, each once, in the order of their first occurrence. */
export function keysOf(...objects: readonly (JsonObject | undefined)[]): string[] {
  return [...new Set(objects.flatMap((object) => Object.keys(object ?? {})))];
}

export function ownMember(object: JsonObject | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
