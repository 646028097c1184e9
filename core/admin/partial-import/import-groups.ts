import { defined } from '../../model/defined.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import { forEachInTurns } from '../in-turns.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

/**
 * Groups at the top, each with what is in it. Members of an overwritten group stay members; of groups in it that are
 * gone nobody is.
 * @returns the paths of the groups that were imported
 */
export async function importGroups(
  draft: RealmRepresentation,
  effects: EditEffects,
  sent: readonly GroupRepresentation[],
  log: ImportLog,
): Promise<string[]> {
  const ids = new Set<string>();
  const groups = new ImportList(draft.groups ?? [], { keyOf: ({ name }) => name, idsOf, ids });
  const imported: string[] = [];
  const removed = new Set<string>();
  await forEachInTurns(sent, (group) => {
    const existing = groups.find(group.name);
    const action = log.decide(`Group '/${group.name}'`, existing !== undefined);
    if (action === 'SKIPPED') return log.note(action, 'GROUP', `/${group.name}`, existing?.id);
    const added = groups.replace(existing, () => plain(group, (id) => taken(groups.freeId(id), ids)));
    const paths = new Set(pathsOf(added));
    const gone = existing === undefined ? [] : pathsOf(existing).filter((path) => !paths.has(path));
    for (const from of gone) {
      effects.names.push({ what: 'group', from });
      removed.add(from);
    }
    for (const path of paths) imported.push(path);
    log.note(action, 'GROUP', `/${group.name}`, added.id);
  });
  draft.groups = groups.all();
  draft.defaultGroups = draft.defaultGroups?.filter((path) => !removed.has(path)) ?? [];
  return imported;
}

/** An id that the next one must not be. */
function taken(id: string, ids: Set<string>): string {
  ids.add(id);
  return id;
}

function plain(group: GroupRepresentation, freeId: (sent: string | undefined) => string): GroupRepresentation {
  const { name, description, attributes, realmRoles, clientRoles, subGroups = [] } = group;
  return {
    id: freeId(group.id),
    name,
    subGroups: subGroups.map((child) => plain(child, freeId)),
    ...defined({ description, attributes, realmRoles, clientRoles }),
  };
}

function idsOf({ id, subGroups = [] }: GroupRepresentation): string[] {
  return [...(id === undefined ? [] : [id]), ...subGroups.flatMap(idsOf)];
}

function pathsOf({ name, subGroups = [] }: GroupRepresentation, parent = ''): string[] {
  const path = `${parent}/${name}`;
  return [path, ...subGroups.flatMap((child) => pathsOf(child, path))];
}
