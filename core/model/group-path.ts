import type { GroupRepresentation } from './representation.js';

/**
 * A group's path, as users, the realm and the store refer to it. A slash within a name becomes `~/`. A `~` before a
 * slash or at the end of a name is doubled, so no two groups of a realm share a path.
 */
export function groupPath(parent: string, name: string): string {
  const escaped = name.replace(/~+(?=\/|$)/g, (tildes) => tildes + tildes).replaceAll('/', '~/');
  return `${parent}/${escaped}`;
}

/** The names that lead to a place. */
export function groupNames(place: string): string[] {
  // No name has a control character.
  const marked = place.replace(/(~+)(\/|$)/g, (_, { length }: string, end: string) => {
    return '~'.repeat(length >> 1) + (length % 2 === 1 ? '\0' : end);
  });
  return marked
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('\0', '/'));
}

/** The name of the group at a place. */
export function groupName(place: string): string {
  return groupNames(place).at(-1) ?? '';
}

/** The path of that place as Keycloak writes it: two groups may have the same one. */
export function shownGroupPath(place: string): string {
  return place.includes('~') ? `/${groupNames(place).join('/')}` : place;
}

/** The places of groups and of those below them. */
export function groupPlaces(groups: readonly GroupRepresentation[] | undefined, parent = ''): string[] {
  return (groups ?? []).flatMap((group) => {
    const place = groupPath(parent, group.name);
    return [place, ...groupPlaces(group.subGroups, place)];
  });
}

/**
 * Finds the group of a path, as Keycloak does: at each level the group with the shortest matching name, even if its
 * subgroups do not match.
 * @param path with or without slashes at its ends
 */
export function findGroupPath(groups: readonly GroupRepresentation[] | undefined, path: string): string | undefined {
  let list = groups ?? [];
  let place = '';
  let name: string | undefined;
  let found: GroupRepresentation | undefined;
  for (const part of path.replace(/^\/|\/$/g, '').split('/')) {
    name = name === undefined ? part : `${name}/${part}`;
    const wanted = name;
    found = list.find((group) => group.name === wanted);
    if (found === undefined) continue;
    place = groupPath(place, found.name);
    list = found.subGroups ?? [];
    name = undefined;
  }
  return found === undefined ? undefined : place;
}
