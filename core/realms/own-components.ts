import { KEY_PROVIDER } from '../keys/component-key.js';
import { isOfRealm } from '../keys/default-keys.js';
import { REGISTRATION_POLICY } from '../model/registration-policies.js';
import type { ComponentRepresentation, RealmRepresentation } from '../model/representation.js';

/** Types of which a realm has some by default. */
const WITH_DEFAULTS = [KEY_PROVIDER, REGISTRATION_POLICY];

type Components = NonNullable<RealmRepresentation['components']>;

/**
 * The components as a realm stores them, without a parent that is the realm itself. A new realm with an empty list of
 * keys, or of client registration policies, gets the default ones, as in Keycloak. Later an empty list stays empty.
 */
export function ownComponents(realm: RealmRepresentation, isNew: boolean): Components | undefined {
  const { components, id, realm: name } = realm;
  if (components === undefined) return undefined;
  const own = mapLists(components, (list) => list.map((component) => ofRealm(component, [id, name])));
  if (!isNew) return own;
  const isUnsaid = (type: string) => WITH_DEFAULTS.includes(type) && own[type]?.length === 0;
  return Object.fromEntries(Object.entries(own).filter(([type]) => !isUnsaid(type)));
}

/** Removes components without an existing parent: Keycloak exports only what the realm refers to. */
export function withoutOrphans(realm: RealmRepresentation): RealmRepresentation {
  const { components } = realm;
  return components === undefined
    ? realm
    : { ...realm, components: mapLists(components, (list) => list.filter(isOfRealm)) };
}

function ofRealm(component: ComponentRepresentation, realm: readonly (string | undefined)[]): ComponentRepresentation {
  const { parentId, ...rest } = component;
  return parentId !== undefined && realm.includes(parentId) ? (rest as ComponentRepresentation) : component;
}

function mapLists(
  components: Components,
  change: (list: ComponentRepresentation[]) => ComponentRepresentation[],
): Components {
  return Object.fromEntries(Object.entries(components).map(([type, list]) => [type, change(list)]));
}
