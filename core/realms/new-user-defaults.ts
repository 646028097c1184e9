import { defaultRoleName } from '../model/default-role-name.js';
import type { Realm } from '../model/realm.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import { BUILT_IN_REQUIRED_ACTIONS } from './built-ins/built-in-required-actions.js';

/** Defaults of every new user of the realm: its default role, groups and required actions. */
export function newUserDefaults({
  representation,
  groups,
}: Realm): Required<Pick<UserRepresentation, 'realmRoles' | 'groups' | 'requiredActions'>> {
  const { requiredActions = BUILT_IN_REQUIRED_ACTIONS } = representation;
  const defaults = newAccountDefaults(representation);
  return {
    ...defaults,
    groups: defaults.groups.filter((place) => groups.has(place)),
    requiredActions: requiredActions
      .filter(({ enabled, defaultAction }) => enabled === true && defaultAction === true)
      .map(({ alias }) => alias),
  };
}

/**
 * Defaults of new service accounts: the default role and groups, without actions (Keycloak's
 * ClientManager.enableServiceAccount).
 */
export function newAccountDefaults(
  realm: RealmRepresentation,
): Required<Pick<UserRepresentation, 'realmRoles' | 'groups'>> {
  return { realmRoles: [defaultRoleName(realm)], groups: [...(realm.defaultGroups ?? [])] };
}
