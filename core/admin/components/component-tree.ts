import { KEY_PROVIDER } from '../../keys/component-key.js';
import type { RealmKeys } from '../../keys/realm-keys.js';
import { derivedId } from '../../model/derived-id.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import { keyComponents } from '../../realms/key-components.js';

type Components = Record<string, ComponentRepresentation[]>;

/** A component and where it stands. */
export interface PlacedComponent {
  readonly id: string;
  readonly component: ComponentRepresentation;
  readonly type: string;
  /** Id of the realm, or of the component that it stands in. */
  readonly parentId: string;
  /** The list that it stands in. */
  readonly siblings: ComponentRepresentation[];
}

/** A copy of a realm's components where each has an id and each key of the realm has a component. */
export function completeComponents(realmId: string, stored: Components = {}, keys: RealmKeys): Components {
  const ofKeys = keyComponents(realmId, stored[KEY_PROVIDER] ?? [], keys.list());
  const components = { ...stored, ...(ofKeys.length === 0 ? {} : { [KEY_PROVIDER]: ofKeys }) };
  return withIds(components, [realmId, 'component']);
}

/** Every component, those in others after them. */
export function placedComponents(parentId: string, components: Components): PlacedComponent[] {
  return Object.entries(components).flatMap(([type, siblings]) =>
    siblings.flatMap((component) => {
      const { id = '', subComponents } = component;
      const inner = placedComponents(id, (subComponents ?? {}) as Components);
      return [{ id, component, type, parentId, siblings }, ...inner];
    }),
  );
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
