import { KEY_MATERIAL, KEY_PROVIDER } from '../keys/component-key.js';
import type { ComponentRepresentation, RealmRepresentation } from '../model/representation.js';

type Components = Readonly<Record<string, ComponentRepresentation[]>>;

/** Removes private keys from components. Only the key store contains them, encrypted if there is a master key. */
export function withoutKeySecrets(representation: RealmRepresentation): RealmRepresentation {
  const { privateKey: _, ...rest } = representation;
  const realm = rest as RealmRepresentation;
  return realm.components === undefined ? realm : { ...realm, components: withoutSecrets(realm.components) };
}

function withoutSecrets(components: Components): Record<string, ComponentRepresentation[]> {
  return Object.fromEntries(
    Object.entries(components).map(([type, list]) => [
      type,
      list.map((component) => {
        const subComponents = component.subComponents as Components | undefined;
        return {
          ...component,
          ...(type === KEY_PROVIDER && component.config !== undefined
            ? { config: withoutMaterial(component.config) }
            : {}),
          ...(subComponents === undefined ? {} : { subComponents: withoutSecrets(subComponents) }),
        };
      }),
    ]),
  );
}

function withoutMaterial(config: Readonly<Record<string, string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !KEY_MATERIAL.has(key)));
}
