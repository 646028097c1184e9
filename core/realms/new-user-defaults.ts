import { defaultRoleName } from '../model/default-role-name.js';
import type { Realm } from '../model/realm.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import { BUILT_IN_REQUIRED_ACTIONS } from './built-ins/built-in-required-actions.js';

/** Returns the defaults of every new user of the realm: its default role, groups and required actions. */
export function newUserDefaults({
  representation,
  groups,
}: Realm): Required<Pick<UserRepresentation, 'realmRoles' | 'groups' | 'requiredActions'>> {
  const { requiredActions = BUILT_IN_REQUIRED_ACTIONS } = representation;
  const defaults = newAccountDefaults(representation);
  return {
    ...defaults,
    groups: defaults.groups.filter((path) => groups.has(path)),
    requiredActions: requiredActions
      .filter(({ enabled, defaultAction }) => enabled === true && defaultAction === true)
      .map(({ alias }) => alias),
  };
}

/**
 * Returns the defaults of new service accounts: the default role and groups, without required actions (Keycloak's
 * ClientManager.enableServiceAccount).
 */
export function newAccountDefaults(
  realm: RealmRepresentation,
): Required<Pick<UserRepresentation, 'realmRoles' | 'groups'>> {
  return { realmRoles: [defaultRoleName(realm)], groups: [...(realm.defaultGroups ?? [])] };
}
