import type { JsonPath } from './json-document.js';

/** A kind of thing that other places of a realm file refer to by name. */
export type NamedKind = 'client' | 'client scope' | 'realm role' | 'client role' | 'group' | 'authentication flow';

/**
 * The kinds of names that are not all known, because something at that path is not what it should be: a right reference
 * to what stands there must not be taken for a mistake.
 */
export function hiddenNames(paths: readonly JsonPath[]): Set<NamedKind> {
  return new Set(paths.flatMap(hiddenBy));
}

function hiddenBy(path: JsonPath): NamedKind[] {
  const [top, , third] = path;
  const last = path.at(-1);
  const isItem = path.length <= 2;
  switch (top) {
    // The name of the default role comes from that of the realm.
    case 'realm':
      return ['realm role'];
    case 'defaultRole':
      return path.length === 1 || last === 'name' ? ['realm role'] : [];
    case 'clients':
      return isItem || (path.length === 3 && third === 'clientId') ? ['client', 'client role'] : [];
    case 'clientScopes':
      return isItem || third === 'name' || third === 'attributes' ? ['client scope'] : [];
    case 'roles':
      return path.length <= 3 || last === 'name' || (path.length === 4 && typeof last === 'number')
        ? ['realm role', 'client role']
        : [];
    case 'groups':
      return path.every((part) => typeof part === 'number' || ['groups', 'subGroups', 'name'].includes(part))
        ? ['group']
        : [];
    case 'authenticationFlows':
      return isItem || (path.length === 3 && (third === 'alias' || third === 'id')) ? ['authentication flow'] : [];
    default:
      return [];
  }
}
