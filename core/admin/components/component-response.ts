import { isGeneratedKey, KEY_PROVIDER, keyMaterialOf } from '../../keys/component-key.js';
import { MASK } from '../../model/mask.js';
import { maskSecrets } from '../text-config.js';
import type { ComponentWithParent } from './component-tree.js';

/** Keycloak's ComponentRepresentation of a component, without secrets. */
export function componentResponse({ id, component, type, parentId }: ComponentWithParent) {
  const { name, providerId, subType, config = {} } = component;
  const members = {
    id,
    name,
    providerId,
    providerType: type,
    parentId,
    subType,
    config: maskSecrets<string[]>(config),
  };
  if (type !== KEY_PROVIDER) return members;
  // As in Keycloak, only `/keys` returns the kid. In a component that is sent back it has no effect.
  const { kid: _, ...visibleConfig } = members.config;
  // The material of an imported key is masked like any secret. It is in the key store, and never returned.
  const maskedEntries = isGeneratedKey(component) ? [] : keyMaterialOf(providerId).map((name) => [name, [MASK]]);
  return { ...members, config: { ...visibleConfig, ...Object.fromEntries(maskedEntries) } };
}
