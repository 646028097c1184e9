import type { Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { BUILT_IN_REQUIRED_ACTIONS } from './built-ins/built-in-required-actions.js';

/** What every new user of the realm gets: its default role, its default groups and its default required actions. */
export function newUserDefaults({
  representation,
  groups,
}: Realm): Required<Pick<UserRepresentation, 'realmRoles' | 'groups' | 'requiredActions'>> {
  const { realm, defaultRole, defaultGroups = [], requiredActions = BUILT_IN_REQUIRED_ACTIONS } = representation;
  return {
    realmRoles: [defaultRole?.name ?? `default-roles-${realm.toLowerCase()}`],
    groups: defaultGroups.filter((place) => groups.has(place)),
    requiredActions: requiredActions
      .filter(({ enabled, defaultAction }) => enabled === true && defaultAction === true)
      .map(({ alias }) => alias),
  };
}
