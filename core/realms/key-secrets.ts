import { KEY_MATERIAL, KEY_PROVIDER } from '../keys/component-key.js';
import type { RealmRepresentation } from '../model/representation.js';

/** Private keys live in the key store alone, where a master key encrypts them. */
export function withoutKeySecrets(representation: RealmRepresentation): RealmRepresentation {
  const { privateKey: _, ...rest } = representation;
  const components = rest.components?.[KEY_PROVIDER];
  if (components === undefined) return rest as RealmRepresentation;
  return {
    ...(rest as RealmRepresentation),
    components: {
      ...rest.components,
      [KEY_PROVIDER]: components.map((component) => ({
        ...component,
        config: Object.fromEntries(Object.entries(component.config ?? {}).filter(([key]) => !KEY_MATERIAL.has(key))),
      })),
    },
  };
}
