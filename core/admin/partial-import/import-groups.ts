import { defined } from '../../model/defined.js';
import { groupPlaces } from '../../model/group-path.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import { forEachYielding } from '../yielding-loops.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

/**
 * Imports top groups with their subgroups. Members of an overwritten group stay members. Memberships of subgroups that
 * no longer exist are removed.
 * @returns the paths of the imported groups
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
  await forEachYielding(draft.realm, sent, (group) => {
    const existing = groups.find(group.name);
    const action = log.decide(`Group '/${group.name}'`, existing !== undefined);
    if (action === 'SKIPPED') return log.record(action, 'GROUP', `/${group.name}`, existing?.id);
    const added = groups.replace(existing, () => plain(group, (id) => reserveId(groups.freeId(id), ids)));
    const places = new Set(groupPlaces([added]));
    const gone = existing === undefined ? [] : groupPlaces([existing]).filter((place) => !places.has(place));
    for (const from of gone) {
      effects.names.push({ what: 'group', from });
      removed.add(from);
    }
    for (const place of places) imported.push(place);
    log.record(action, 'GROUP', `/${group.name}`, added.id);
  });
  draft.groups = groups.all();
  draft.defaultGroups = draft.defaultGroups?.filter((place) => !removed.has(place)) ?? [];
  return imported;
}

/** Marks an ID as used, so that no later item gets it. */
function reserveId(id: string, ids: Set<string>): string {
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
