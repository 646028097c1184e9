import { ProtocolMapper } from '@keyhost/spi';
import { BUILT_IN_CLIENT_SCOPES } from '../../realms/built-ins/built-in-client-scopes.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';
import { settingsProperties } from './settings-properties.js';

/**
 * The types of protocol mappers: Keycloak's and those of plugins. A mapper without a description is shown by its ID.
 */
export function mapperTypes(registry: ProviderRegistry, texts: AdminTexts) {
  return registry.all(ProtocolMapper).map((mapper) => {
    const { id, plugin, declaration } = mapper;
    const { displayName, helpText = '' } = texts.description(mapper) ?? { displayName: id, helpText: plugin.name };
    const properties = settingsProperties(texts.schema(mapper, declaration.settings));
    return { id, name: displayName, category: 'Token mapper', helpText, priority: 0, properties };
  });
}

/** The mappers of the built-in client scopes, which the admin console offers as predefined mappers. */
export function builtInMappers() {
  const mappers = BUILT_IN_CLIENT_SCOPES.flatMap(({ protocolMappers = [] }) => protocolMappers);
  return mappers.filter(({ protocol }) => protocol === 'openid-connect');
}
