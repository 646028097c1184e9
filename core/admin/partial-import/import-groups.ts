import { randomUUID } from 'node:crypto';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import { freeId, type ImportLog } from './import-log.js';

/**
 * Groups at the top, each with what is in it. Members of an overwritten group stay members; of groups in it that are
 * gone nobody is.
 * @returns the paths of the groups that were imported
 */
export function importGroups(
  draft: RealmRepresentation,
  effects: EditEffects,
  sent: readonly GroupRepresentation[],
  log: ImportLog,
): string[] {
  const groups = [...(draft.groups ?? [])];
  const imported: string[] = [];
  for (const group of sent) {
    const existing = groups.find(({ name }) => name === group.name);
    const action = log.decide(`Group '/${group.name}'`, existing !== undefined);
    if (action === 'SKIPPED') {
      log.note(action, 'GROUP', `/${group.name}`, existing?.id);
      continue;
    }
    const others = groups.filter((one) => one !== existing);
    const taken = new Set(others.flatMap((one) => idsOf(one)));
    const added = plain(group, taken);
    groups.splice(0, groups.length, ...others, added);
    const paths = pathsOf(added);
    const gone = existing === undefined ? [] : pathsOf(existing).filter((path) => !paths.includes(path));
    effects.names.push(...gone.map((from) => ({ what: 'group' as const, from })));
    draft.defaultGroups = draft.defaultGroups?.filter((path) => !gone.includes(path)) ?? [];
    imported.push(...paths);
    log.note(action, 'GROUP', `/${group.name}`, added.id);
  }
  draft.groups = groups;
  return imported;
}

function plain(group: GroupRepresentation, taken: Set<string>): GroupRepresentation {
  const { name, description, attributes, realmRoles, clientRoles, subGroups = [] } = group;
  const id = freeId(group.id, taken, randomUUID);
  taken.add(id);
  return {
    ...{ id, name, subGroups: subGroups.map((child) => plain(child, taken)) },
    ...(description === undefined ? {} : { description }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(realmRoles === undefined ? {} : { realmRoles }),
    ...(clientRoles === undefined ? {} : { clientRoles }),
  };
}

function idsOf({ id, subGroups = [] }: GroupRepresentation): string[] {
  return [...(id === undefined ? [] : [id]), ...subGroups.flatMap(idsOf)];
}

function pathsOf({ name, subGroups = [] }: GroupRepresentation, parent = ''): string[] {
  const path = `${parent}/${name}`;
  return [path, ...subGroups.flatMap((child) => pathsOf(child, path))];
}
