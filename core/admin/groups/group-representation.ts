import { defined } from '../../model/defined.js';
import type { PlacedGroup } from './placed-group.js';

/** What lists show with `briefRepresentation`. */
export function briefGroup({ group: { id, name, description, subGroups = [] }, path, parent }: PlacedGroup) {
  return defined({
    id,
    name,
    description,
    path,
    parentId: parent?.group.id,
    subGroupCount: subGroups.length,
    subGroups: [] as object[],
  });
}

/** A group without those below it (Keycloak's GroupRepresentation). */
export function fullGroup(placed: PlacedGroup) {
  const { attributes = {}, realmRoles = [], clientRoles = {} } = placed.group;
  return { ...briefGroup(placed), attributes, realmRoles, clientRoles };
}
