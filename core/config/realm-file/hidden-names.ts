import type { JsonDocument, JsonPath } from '../json/json-document.js';

/**
 * Names that may exist in parts of the realm with a mistake. A correct reference to one must not be reported as another
 * mistake.
 */
export interface HiddenNames {
  has(name: string): boolean;
}

/** The members of a realm that hold named objects, and the keys of their names. */
const MEMBERS_WITH_NAMES = [
  'realm',
  'clients',
  'clientScopes',
  'roles',
  'defaultRole',
  'groups',
  'authenticationFlows',
];
const NAMES = ['realm', 'clientId', 'name', 'alias', 'id'];

/**
 * @param words the texts in values that did not fit
 * @param unresolved the paths of references whose value is unknown
 */
export function hiddenNames(
  words: ReadonlySet<string>,
  unresolved: readonly JsonPath[],
  { mistakes }: JsonDocument,
): HiddenNames {
  // The first value of a repeated key is lost, and the value of an unresolved variable is unknown.
  const isAnything =
    mistakes.some(({ path: [top] }) => MEMBERS_WITH_NAMES.includes(String(top))) ||
    unresolved.some((path) => MEMBERS_WITH_NAMES.includes(String(path[0])) && NAMES.includes(String(path.at(-1))));
  return {
    // A group is referenced by its path, the default role by the name of the realm.
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
