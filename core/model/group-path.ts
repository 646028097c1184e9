import type { GroupRepresentation } from './representation.js';

/**
 * Builds a group's stored path, by which users, the realm and the store refer to it. A slash within a name becomes
 * `~/`. A `~` before a slash or at the end of a name is doubled, so no two groups of a realm share a path.
 */
export function groupPath(parent: string, name: string): string {
  const escaped = name.replace(/~+(?=\/|$)/g, (tildes) => tildes + tildes).replaceAll('/', '~/');
  return `${parent}/${escaped}`;
}

/** Splits a stored path into the names of its groups. */
export function groupNames(path: string): string[] {
  // Names contain no control characters, so NUL marks an escaped slash.
  const withSlashesReplaced = path.replace(/(~+)(\/|$)/g, (_, { length }: string, end: string) => {
    return '~'.repeat(length >> 1) + (length % 2 === 1 ? '\0' : end);
  });
  return withSlashesReplaced
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('\0', '/'));
}

/** The name of the group with this stored path. */
export function groupName(path: string): string {
  return groupNames(path).at(-1) ?? '';
}

/** Converts a stored path to Keycloak's form, which two groups may share. */
export function keycloakGroupPath(path: string): string {
  return path.includes('~') ? `/${groupNames(path).join('/')}` : path;
}

/** The stored paths of groups and all their subgroups. */
export function groupPaths(groups: readonly GroupRepresentation[] | undefined, parent = ''): string[] {
  return (groups ?? []).flatMap((group) => {
    const path = groupPath(parent, group.name);
    return [path, ...groupPaths(group.subGroups, path)];
  });
}

/**
 * Finds the stored path of the group with this path in Keycloak's form. As in Keycloak, each level takes the group with
 * the shortest matching name, even if its subgroups do not match.
 * @param path with or without slashes at its ends
 */
export function findGroupPath(groups: readonly GroupRepresentation[] | undefined, path: string): string | undefined {
  let siblings = groups ?? [];
  let storedPath = '';
  let name: string | undefined;
  let match: GroupRepresentation | undefined;
  for (const part of path.replace(/^\/|\/$/g, '').split('/')) {
    name = name === undefined ? part : `${name}/${part}`;
    const candidate = name;
    match = siblings.find((group) => group.name === candidate);
    if (match === undefined) continue;
    storedPath = groupPath(storedPath, match.name);
    siblings = match.subGroups ?? [];
    name = undefined;
  }
  return match === undefined ? undefined : storedPath;
}
