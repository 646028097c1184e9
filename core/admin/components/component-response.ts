import { isGeneratedKey, KEY_PROVIDER, keyMaterialOf } from '../../keys/component-key.js';
import { MASK } from '../../model/mask.js';
import { maskTexts } from '../text-config.js';
import type { ComponentWithParent } from './component-tree.js';

/** Keycloak's ComponentRepresentation of a component, without secrets. */
export function componentResponse({ id, component, type, parentId }: ComponentWithParent) {
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
  // As in Keycloak, the kid is shown by `/keys` only: in a component that is sent back it has no effect.
  const { kid: _, ...said } = parts.config;
  // An imported key is masked like any secret: it is stored in the key store and never shown.
  const masked = isGeneratedKey(component) ? [] : keyMaterialOf(providerId).map((name) => [name, [MASK]]);
  return { ...parts, config: { ...said, ...Object.fromEntries(masked) } };
}
