import { defined } from '../../model/defined.js';
import { groupPaths } from '../../model/group-path.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import { forEachYielding } from '../yielding-loops.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

/**
 * Imports top-level groups with their subgroups. Members of an overwritten group stay members. Memberships of subgroups
 * that no longer exist are removed.
 * @returns the stored paths of the imported groups
 */
export async function importGroups(
  draft: RealmRepresentation,
  effects: EditEffects,
  newGroups: readonly GroupRepresentation[],
  log: ImportLog,
): Promise<string[]> {
  const ids = new Set<string>();
  const groups = new ImportList(draft.groups ?? [], { keyOf: ({ name }) => name, idsOf, ids });
  const importedPaths: string[] = [];
  const removedGroupPaths = new Set<string>();
  await forEachYielding(draft.realm, newGroups, (group) => {
    const existingGroup = groups.find(group.name);
    const action = log.decide(`Group '/${group.name}'`, existingGroup !== undefined);
    if (action === 'SKIPPED') return log.record(action, 'GROUP', `/${group.name}`, existingGroup?.id);
    const addedGroup = groups.replace(existingGroup, () =>
      withImportedMembers(group, (id) => reserveId(groups.freeId(id), ids)),
    );
    const paths = new Set(groupPaths([addedGroup]));
    const removedPaths =
      existingGroup === undefined ? [] : groupPaths([existingGroup]).filter((path) => !paths.has(path));
    for (const from of removedPaths) {
      effects.names.push({ what: 'group', from });
      removedGroupPaths.add(from);
    }
    for (const path of paths) importedPaths.push(path);
    log.record(action, 'GROUP', `/${group.name}`, addedGroup.id);
  });
  draft.groups = groups.items();
  draft.defaultGroups = draft.defaultGroups?.filter((path) => !removedGroupPaths.has(path)) ?? [];
  return importedPaths;
}

/** Marks an ID as used, so that no later item gets it. */
function reserveId(id: string, ids: Set<string>): string {
  ids.add(id);
  return id;
}

function withImportedMembers(
  group: GroupRepresentation,
  freeId: (requestedId: string | undefined) => string,
): GroupRepresentation {
  const { name, description, attributes, realmRoles, clientRoles, subGroups = [] } = group;
  return {
    id: freeId(group.id),
    name,
    subGroups: subGroups.map((child) => withImportedMembers(child, freeId)),
    ...defined({ description, attributes, realmRoles, clientRoles }),
  };
}

function idsOf({ id, subGroups = [] }: GroupRepresentation): string[] {
  return [...(id === undefined ? [] : [id]), ...subGroups.flatMap(idsOf)];
}
