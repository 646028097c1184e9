import type { JsonDocument, JsonPath } from '../json/json-document.js';

/** Names that may exist in invalid parts of the realm. A use of one must not be reported as another mistake. */
export interface HiddenNames {
  has(name: string): boolean;
}

/** The members of a realm that contain objects with names. */
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
 * @param words the texts in invalid values
 * @param unresolved the paths of references whose value is unknown
 */
export function hiddenNames(
  words: ReadonlySet<string>,
  unresolved: readonly JsonPath[],
  { mistakes }: JsonDocument,
): HiddenNames {
  // Any name may exist if a key is repeated, since its first value is lost, or if a name is an unresolved reference.
  const isAnyNameHidden =
    mistakes.some(({ path: [top] }) => MEMBERS_WITH_NAMES.includes(String(top))) ||
    unresolved.some((path) => MEMBERS_WITH_NAMES.includes(String(path[0])) && NAMES.includes(String(path.at(-1))));
  return {
    // A group is named by its path, and the default role by the name of the realm.
    has: (name) =>
      isAnyNameHidden ||
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
