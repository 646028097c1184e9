import { isDeepStrictEqual } from 'node:util';
import { KEY_PROVIDER } from '../../keys/component-key.js';
import { keysToGenerate } from '../../keys/default-keys.js';
import type { RealmKeys } from '../../keys/realm-keys.js';
import { derivedId } from '../../model/derived-id.js';
import { REGISTRATION_POLICY, registrationPolicies } from '../../model/registration-policies.js';
import type { ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { keyComponents } from '../../realms/key-components.js';
import { badRequest } from '../admin.js';

type Components = Record<string, ComponentRepresentation[]>;

/** A component and its position. */
export interface ComponentWithParent {
  readonly id: string;
  readonly component: ComponentRepresentation;
  readonly type: string;
  /** ID of the realm or of the parent component, or any other text that was sent as its parent. */
  readonly parentId: string;
  /** The list that contains it. */
  readonly siblings: ComponentRepresentation[];
}

/**
 * A copy of a realm's components in which each has an ID and each key of the realm has a component. Without stored
 * client registration policies it contains Keycloak's. Generates keys that components require and that were not needed
 * before.
 */
export async function allComponents(
  realmId: string,
  { components: stored = {} }: Pick<RealmRepresentation, 'components'>,
  keys: RealmKeys,
): Promise<Components> {
  const has = (kid: string) => keys.describe(kid) !== undefined;
  await keys.provide(keysToGenerate(stored[KEY_PROVIDER], has).map(({ algorithm }) => algorithm));
  const own = keys.list().filter(({ kid }) => keys.componentOf(kid) === undefined);
  const ofKeys = keyComponents(realmId, stored[KEY_PROVIDER] ?? [], own);
  const components = {
    ...stored,
    ...(ofKeys.length === 0 ? {} : { [KEY_PROVIDER]: ofKeys }),
    [REGISTRATION_POLICY]: structuredClone([...registrationPolicies({ components: stored })]),
  };
  return withIds(components, [realmId, 'component']);
}

/**
 * The components to store after a change. If the realm stored no client registration policies and they still are
 * Keycloak's, none are stored. So a change of a key does not change the policies.
 * @param before as stored
 */
export function componentsToStore(
  realmId: string,
  { components: before }: Pick<RealmRepresentation, 'components'>,
  after: Components,
): Components {
  if (before?.[REGISTRATION_POLICY] !== undefined) return after;
  const unsaid = withIds({ [REGISTRATION_POLICY]: [...registrationPolicies({})] }, [realmId, 'component']);
  if (!isDeepStrictEqual(after[REGISTRATION_POLICY], unsaid[REGISTRATION_POLICY])) return after;
  const { [REGISTRATION_POLICY]: _, ...others } = after;
  return others;
}

/** Every component; nested ones follow their parent. */
export function componentsWithParents(parentId: string, components: Components): ComponentWithParent[] {
  return Object.entries(components).flatMap(([type, siblings]) =>
    siblings.flatMap((component) => {
      const { id = '', subComponents } = component;
      const inner = componentsWithParents(id, (subComponents ?? {}) as Components);
      return [{ id, component, type, parentId: component.parentId ?? parentId, siblings }, ...inner];
    }),
  );
}

/** The list for a new component, and the parent ID that it must store itself. */
interface ComponentList {
  readonly siblings: ComponentRepresentation[];
  readonly stated: { readonly parentId?: string };
}

/** Finds the list for a component: that of its parent, or the realm's own list if the parent does not exist. */
export function listForComponent(
  components: Components,
  all: readonly ComponentWithParent[],
  { parentId, realmId, type }: { parentId: string; realmId: string; type: string },
): ComponentList {
  const parent = all.find(({ id }) => id === parentId)?.component;
  const lists = parent === undefined ? components : ((parent.subComponents ?? {}) as Components);
  if (parent !== undefined) parent.subComponents = lists;
  const siblings = Object.hasOwn(lists, type) ? (lists[type] ?? []) : [];
  lists[type] = siblings;
  return { siblings, stated: parent === undefined && parentId !== realmId ? { parentId } : {} };
}

/** Moves a changed component to its new parent. @throws AdminError 400 if it would be inside itself */
export function moveComponent(
  { component: before, siblings, type, parentId }: ComponentWithParent,
  components: Components,
  all: readonly ComponentWithParent[],
  { component, ...wanted }: { component: ComponentRepresentation; parentId: string; realmId: string },
): void {
  if (wanted.parentId === parentId) {
    siblings.splice(siblings.indexOf(before), 1, component);
    return;
  }
  const inside = componentsWithParents('', (before.subComponents ?? {}) as Components);
  if ([{ id: before.id }, ...inside].some(({ id }) => id === wanted.parentId)) {
    throw badRequest('parentId: a component cannot contain itself');
  }
  siblings.splice(siblings.indexOf(before), 1);
  const { parentId: _, ...moved } = component;
  const place = listForComponent(components, all, { ...wanted, type });
  place.siblings.push({ ...(moved as ComponentRepresentation), ...place.stated });
}

function withIds(components: Components, path: readonly string[]): Components {
  return Object.fromEntries(
    Object.entries(components).map(([type, siblings]) => [
      type,
      siblings.map((component, index) => {
        const place = [...path, type, String(index)];
        const { id = derivedId(...place), subComponents } = component;
        if (subComponents === undefined) return { ...component, id };
        return { ...component, id, subComponents: withIds(subComponents as Components, place) };
      }),
    ]),
  );
}
