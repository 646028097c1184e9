/** The subject of a change, in words, and the path below it. */
export interface Subject {
  /** Such as `client web-app`; '' for the realm itself. */
  readonly words: string;
  readonly kind: SubjectKind;
  readonly rest: readonly string[];
}

export type SubjectKind = 'realm' | 'client' | 'role' | 'group' | 'provider' | 'thing';

/** Lists of things directly below the realm, by the words for one of them. */
const THINGS: Readonly<Record<string, string>> = {
  clientScopes: 'client scope',
  scopeMappings: 'scope mapping of',
  authenticationFlows: 'authentication flow',
  authenticatorConfig: 'authenticator configuration',
  requiredActions: 'required action',
  identityProviders: 'identity provider',
  identityProviderMappers: 'identity provider mapper',
};

/** @param path keys and names of things, from the realm's root */
export function subjectOf(path: readonly string[]): Subject {
  const [top = '', first, second, third] = path;
  if (first === undefined) return { words: '', kind: 'realm', rest: path };
  const thing = Object.hasOwn(THINGS, top) ? THINGS[top] : undefined;
  if (top === 'clients') return subjectBelow(`client ${first}`, 'client', path.slice(2));
  if (thing !== undefined) return subjectBelow(`${thing} ${first}`, 'thing', path.slice(2));
  if (top === 'roles' && first === 'realm' && second !== undefined) {
    return { words: `realm role ${second}`, kind: 'role', rest: path.slice(3) };
  }
  if (top === 'roles' && first === 'client' && third !== undefined) {
    return { words: `role ${third} of client ${second}`, kind: 'role', rest: path.slice(4) };
  }
  if (top === 'groups') return groupOf(path);
  if (top === 'providers' && second !== undefined) {
    return { words: `provider ${first}/${second}`, kind: 'provider', rest: path.slice(3) };
  }
  if (top === 'components' && second !== undefined) {
    return { words: `component ${second}`, kind: 'thing', rest: path.slice(3) };
  }
  if (top === 'clientProfiles' && second !== undefined)
    return subjectBelow(`client profile ${second}`, 'thing', path.slice(3));
  if (top === 'clientPolicies' && second !== undefined)
    return subjectBelow(`client policy ${second}`, 'thing', path.slice(3));
  if (top === 'clientScopeMappings' && second !== undefined) {
    return { words: `scope mapping of ${second} to client ${first}`, kind: 'thing', rest: path.slice(3) };
  }
  return { words: '', kind: 'realm', rest: path };
}

/** A protocol mapper is a thing of its own within a client or client scope. */
function subjectBelow(words: string, kind: SubjectKind, rest: readonly string[]): Subject {
  const [list, mapper] = rest;
  if (list !== 'protocolMappers' || mapper === undefined) return { words, kind, rest };
  return { words: `mapper "${mapper}" of ${words}`, kind: 'thing', rest: rest.slice(2) };
}

function groupOf(path: readonly string[]): Subject {
  let words = 'group ';
  let position = 0;
  while ((path[position] === 'groups' || path[position] === 'subGroups') && path[position + 1] !== undefined) {
    words += `/${path[position + 1]}`;
    position += 2;
  }
  return { words, kind: 'group', rest: path.slice(position) };
}
