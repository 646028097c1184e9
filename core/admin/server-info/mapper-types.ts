import { ProtocolMapper } from '@keyhost/spi';
import { BUILT_IN_CLIENT_SCOPES } from '../../realms/built-ins/built-in-client-scopes.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';
import { settingsProperties } from './settings-properties.js';

/** The mappers of this host: Keycloak's and those of plugins. A mapper without a description is shown by its ID. */
export function mapperTypes(registry: ProviderRegistry, words: AdminTexts) {
  return registry.all(ProtocolMapper).map((mapper) => {
    const { id, plugin, declaration } = mapper;
    const { displayName, helpText = '' } = words.description(mapper) ?? { displayName: id, helpText: plugin.name };
    const properties = settingsProperties(words.schema(mapper, declaration.settings));
    return { id, name: displayName, category: 'Token mapper', helpText, priority: 0, properties };
  });
}

/** The mappers of the built-in client scopes, which the admin console offers as predefined mappers. */
export function builtInMappers() {
  const all = BUILT_IN_CLIENT_SCOPES.flatMap(({ protocolMappers = [] }) => protocolMappers);
  return all.filter(({ protocol }) => protocol === 'openid-connect');
}
