import type { JsonDocument, JsonPath } from '../json/json-document.js';

/** What may be the name of a thing that a mistake hides: a right reference to it must not be taken for another mistake. */
export interface HiddenNames {
  has(name: string): boolean;
}

/** Where things stand that other places refer to by name, and what they are called by. */
const NAMED = ['realm', 'clients', 'clientScopes', 'roles', 'defaultRole', 'groups', 'authenticationFlows'];
const NAMES = ['realm', 'clientId', 'name', 'alias', 'id'];

/**
 * @param words the texts that stood in what does not fit
 * @param unresolved where references stand whose text is not known
 */
export function hiddenNames(
  words: ReadonlySet<string>,
  unresolved: readonly JsonPath[],
  { mistakes }: JsonDocument,
): HiddenNames {
  // Of a key that stands twice the first value is lost; what a variable would have said is not known either.
  const isAnything =
    mistakes.some(({ path: [top] }) => NAMED.includes(String(top))) ||
    unresolved.some((path) => NAMED.includes(String(path[0])) && NAMES.includes(String(path.at(-1))));
  return {
    // A group is referred to by its path, the default role by the name of the realm.
    has: (name) =>
      isAnything ||
      words.has(name) ||
      [...name.split('/'), name.replace(/^default-roles-/, '')].some((part) => words.has(part)),
  };
}

/** Collects the texts in a value, keys included. */
export function collectWords(value: unknown, words: Set<string>): void {
  if (typeof value === 'string' && value !== '') words.add(value).add(value.toLowerCase());
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) words.add(key);
    collectWords(item, words);
  }
}
