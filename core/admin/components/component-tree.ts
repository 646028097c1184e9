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

/** A component, with its type, its parent and the list that contains it. */
export interface ComponentWithParent {
  readonly id: string;
  readonly component: ComponentRepresentation;
  readonly type: string;
  /** ID of the realm or of the parent component, or any other text that was sent as the parent. */
  readonly parentId: string;
  /** The list that contains it. */
  readonly siblings: ComponentRepresentation[];
}

/**
 * Returns a copy of a realm's components in which each has an ID and each key of the realm has a component. Without
 * stored client registration policies it contains Keycloak's defaults. It first generates keys that components require
 * and that do not exist yet.
 */
export async function allComponents(
  realmId: string,
  { components: storedComponents = {} }: Pick<RealmRepresentation, 'components'>,
  keys: RealmKeys,
): Promise<Components> {
  const has = (kid: string) => keys.describe(kid) !== undefined;
  await keys.provide(keysToGenerate(storedComponents[KEY_PROVIDER], has).map(({ algorithm }) => algorithm));
  const keysWithoutComponent = keys.list().filter(({ kid }) => keys.componentOf(kid) === undefined);
  const keyComponentList = keyComponents(realmId, storedComponents[KEY_PROVIDER] ?? [], keysWithoutComponent);
  const components = {
    ...storedComponents,
    ...(keyComponentList.length === 0 ? {} : { [KEY_PROVIDER]: keyComponentList }),
    [REGISTRATION_POLICY]: structuredClone([...registrationPolicies({ components: storedComponents })]),
  };
  return withIds(components, [realmId, 'component']);
}

/**
 * Returns the components to store after a change. If the realm stores no client registration policies and they are
 * still Keycloak's defaults, none are stored. So a change of a key does not store policies.
 * @param before the stored components
 */
export function componentsToStore(
  realmId: string,
  { components: before }: Pick<RealmRepresentation, 'components'>,
  after: Components,
): Components {
  if (before?.[REGISTRATION_POLICY] !== undefined) return after;
  const defaults = withIds({ [REGISTRATION_POLICY]: [...registrationPolicies({})] }, [realmId, 'component']);
  if (!isDeepStrictEqual(after[REGISTRATION_POLICY], defaults[REGISTRATION_POLICY])) return after;
  const { [REGISTRATION_POLICY]: _, ...remaining } = after;
  return remaining;
}

/** Lists all components. Nested ones follow their parent. */
export function componentsWithParents(parentId: string, components: Components): ComponentWithParent[] {
  return Object.entries(components).flatMap(([type, siblings]) =>
    siblings.flatMap((component) => {
      const { id = '', subComponents } = component;
      const inner = componentsWithParents(id, (subComponents ?? {}) as Components);
      return [{ id, component, type, parentId: component.parentId ?? parentId, siblings }, ...inner];
    }),
  );
}

/** The list for a new component, and the parent ID that the component itself must store. */
interface ComponentList {
  readonly siblings: ComponentRepresentation[];
  readonly explicitParent: { readonly parentId?: string };
}

/** Finds the list for a component: that of its parent, or the realm's own list if the parent does not exist. */
export function listForComponent(
  components: Components,
  entries: readonly ComponentWithParent[],
  { parentId, realmId, type }: { parentId: string; realmId: string; type: string },
): ComponentList {
  const parent = entries.find(({ id }) => id === parentId)?.component;
  const lists = parent === undefined ? components : ((parent.subComponents ?? {}) as Components);
  if (parent !== undefined) parent.subComponents = lists;
  const siblings = Object.hasOwn(lists, type) ? (lists[type] ?? []) : [];
  lists[type] = siblings;
  return { siblings, explicitParent: parent === undefined && parentId !== realmId ? { parentId } : {} };
}

/** Moves a changed component to its new parent. @throws AdminError 400 if the component would contain itself */
export function moveComponent(
  { component: before, siblings, type, parentId }: ComponentWithParent,
  components: Components,
  entries: readonly ComponentWithParent[],
  { component, ...target }: { component: ComponentRepresentation; parentId: string; realmId: string },
): void {
  if (target.parentId === parentId) {
    siblings.splice(siblings.indexOf(before), 1, component);
    return;
  }
  const descendants = componentsWithParents('', (before.subComponents ?? {}) as Components);
  if ([{ id: before.id }, ...descendants].some(({ id }) => id === target.parentId)) {
    throw badRequest('parentId: a component cannot contain itself');
  }
  siblings.splice(siblings.indexOf(before), 1);
  const { parentId: _, ...moved } = component;
  const list = listForComponent(components, entries, { ...target, type });
  list.siblings.push({ ...(moved as ComponentRepresentation), ...list.explicitParent });
}

function withIds(components: Components, path: readonly string[]): Components {
  return Object.fromEntries(
    Object.entries(components).map(([type, siblings]) => [
      type,
      siblings.map((component, index) => {
        const componentPath = [...path, type, String(index)];
        const { id = derivedId(...componentPath), subComponents } = component;
        if (subComponents === undefined) return { ...component, id };
        return { ...component, id, subComponents: withIds(subComponents as Components, componentPath) };
      }),
    ]),
  );
}
