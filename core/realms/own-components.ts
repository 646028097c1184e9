import { KEY_PROVIDER } from '../keys/component-key.js';
import { isOfRealm } from '../keys/default-keys.js';
import { REGISTRATION_POLICY } from '../model/registration-policies.js';
import type { ComponentRepresentation, RealmRepresentation } from '../model/representation.js';

/** Component types of which a realm has some by default. */
const TYPES_WITH_DEFAULTS = [KEY_PROVIDER, REGISTRATION_POLICY];

type Components = NonNullable<RealmRepresentation['components']>;

/**
 * Returns the components as a realm stores them, without a parent that is the realm itself. A new realm with an empty
 * list of keys, or of client registration policies, gets the default ones, as in Keycloak. For an existing realm an
 * empty list stays empty.
 */
export function ownComponents(realm: RealmRepresentation, isNew: boolean): Components | undefined {
  const { components, id, realm: name } = realm;
  if (components === undefined) return undefined;
  const own = mapLists(components, (list) => list.map((component) => withoutRealmParent(component, [id, name])));
  if (!isNew) return own;
  const getsDefaults = (type: string) => TYPES_WITH_DEFAULTS.includes(type) && own[type]?.length === 0;
  return Object.fromEntries(Object.entries(own).filter(([type]) => !getsDefaults(type)));
}

/** Removes components without an existing parent: Keycloak exports only components that belong to the realm. */
export function withoutOrphans(realm: RealmRepresentation): RealmRepresentation {
  const { components } = realm;
  return components === undefined
    ? realm
    : { ...realm, components: mapLists(components, (list) => list.filter(isOfRealm)) };
}

function withoutRealmParent(
  component: ComponentRepresentation,
  realm: readonly (string | undefined)[],
): ComponentRepresentation {
  const { parentId, ...rest } = component;
  return parentId !== undefined && realm.includes(parentId) ? (rest as ComponentRepresentation) : component;
}

function mapLists(
  components: Components,
  change: (list: ComponentRepresentation[]) => ComponentRepresentation[],
): Components {
  return Object.fromEntries(Object.entries(components).map(([type, list]) => [type, change(list)]));
}
