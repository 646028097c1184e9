import { isGeneratedKey, KEY_PROVIDER, keyMaterialOf } from '../../keys/component-key.js';
import { MASK } from '../../model/mask.js';
import { maskTexts } from '../text-config.js';
import type { PlacedComponent } from './component-tree.js';

/** Keycloak's ComponentRepresentation of a component, without secrets. */
export function shownComponent({ id, component, type, parentId }: PlacedComponent) {
  const { name, providerId, subType, config = {} } = component;
  const parts = {
    id,
    name,
    providerId,
    providerType: type,
    parentId,
    subType,
    config: maskTexts<string[]>(config),
  };
  if (type !== KEY_PROVIDER) return parts;
  // As in Keycloak, which key it is stands in `/keys`: sent back, a kid would say nothing.
  const { kid: _, ...said } = parts.config;
  // An imported key is masked like any secret: it is in the key store and never shown.
  const masked = isGeneratedKey(component) ? [] : keyMaterialOf(providerId).map((name) => [name, [MASK]]);
  return { ...parts, config: { ...said, ...Object.fromEntries(masked) } };
}
