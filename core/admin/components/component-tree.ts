import { isDeepStrictEqual } from 'node:util';
import { KEY_PROVIDER } from '../../keys/component-key.js';
import { wantedKeys } from '../../keys/default-keys.js';
import type { RealmKeys } from '../../keys/realm-keys.js';
import { derivedId } from '../../model/derived-id.js';
import { REGISTRATION_POLICY, registrationPolicies } from '../../model/registration-policies.js';
import type { ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { keyComponents } from '../../realms/key-components.js';
import { badRequest } from '../admin.js';

type Components = Record<string, ComponentRepresentation[]>;

/** A component and where it stands. */
export interface PlacedComponent {
  readonly id: string;
  readonly component: ComponentRepresentation;
  readonly type: string;
  /** Id of the realm, or of the component that it stands in; or whatever it was given as its parent. */
  readonly parentId: string;
  /** The list that it stands in. */
  readonly siblings: ComponentRepresentation[];
}

/**
 * A copy of a realm's components where each has an id, each key of the realm has a component, and the policies of client
 * registration are those of Keycloak where the realm says nothing of them. Keys that components ask
 * for and that nobody has needed yet are made.
 */
export async function allComponents(
  realmId: string,
  { components: stored = {} }: Pick<RealmRepresentation, 'components'>,
  keys: RealmKeys,
): Promise<Components> {
  const has = (kid: string) => keys.describe(kid) !== undefined;
  await keys.provide(wantedKeys(stored[KEY_PROVIDER], has).map(({ algorithm }) => algorithm));
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
 * What is written of a realm's components after a change: one that said nothing of its policies of client registration goes on
 * doing so while they are Keycloak's, so that a change of a key is no change of them.
 * @param before as they were stored
 */
export function writtenComponents(
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

/** Every component, those in others after them. */
export function placedComponents(parentId: string, components: Components): PlacedComponent[] {
  return Object.entries(components).flatMap(([type, siblings]) =>
    siblings.flatMap((component) => {
      const { id = '', subComponents } = component;
      const inner = placedComponents(id, (subComponents ?? {}) as Components);
      return [{ id, component, type, parentId: component.parentId ?? parentId, siblings }, ...inner];
    }),
  );
}

/** A list for a new component, and what the component must say of its place by itself. */
interface Place {
  readonly siblings: ComponentRepresentation[];
  readonly stated: { readonly parentId?: string };
}

/** Where a component belongs: in its parent, or in the realm's own list, where it names a parent that is not there. */
export function placeFor(
  components: Components,
  all: readonly PlacedComponent[],
  { parentId, realmId, type }: { parentId: string; realmId: string; type: string },
): Place {
  const parent = all.find(({ id }) => id === parentId)?.component;
  const lists = parent === undefined ? components : ((parent.subComponents ?? {}) as Components);
  if (parent !== undefined) parent.subComponents = lists;
  const siblings = Object.hasOwn(lists, type) ? (lists[type] ?? []) : [];
  lists[type] = siblings;
  return { siblings, stated: parent === undefined && parentId !== realmId ? { parentId } : {} };
}

/** Puts what a component has become where it is to stand. @throws AdminError 400 when it would stand in itself */
export function placeOf(
  { component: before, siblings, type, parentId }: PlacedComponent,
  components: Components,
  all: readonly PlacedComponent[],
  { component, ...wanted }: { component: ComponentRepresentation; parentId: string; realmId: string },
): void {
  if (wanted.parentId === parentId) {
    siblings.splice(siblings.indexOf(before), 1, component);
    return;
  }
  const inside = placedComponents('', (before.subComponents ?? {}) as Components);
  if ([{ id: before.id }, ...inside].some(({ id }) => id === wanted.parentId)) {
    throw badRequest('parentId: a component cannot contain itself');
  }
  siblings.splice(siblings.indexOf(before), 1);
  const { parentId: _, ...moved } = component;
  const place = placeFor(components, all, { ...wanted, type });
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
