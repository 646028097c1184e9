import { ProtocolMapper } from '@keyhost/spi';
import { BUILT_IN_CLIENT_SCOPES } from '../../realms/built-ins/built-in-client-scopes.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { protocolMappers } from '../../tokens/mappers/protocol-mappers.js';
import { EVERYWHERE } from '../../tokens/mappers/settings.js';
import type { AdminTexts } from '../admin-texts.js';
import { settingsProperties } from './settings-properties.js';

/**
 * The types of protocol mappers: Keycloak's and those of plugins. A mapper without a description is shown by its ID. A
 * plugin does not declare the flags that select the tokens, so they are added. Without a flag, the mapper's claims are
 * in no token.
 */
export function mapperTypes(registry: ProviderRegistry, texts: AdminTexts) {
  const flags = texts.schema({ plugin: protocolMappers }, { properties: EVERYWHERE });
  return registry.all(ProtocolMapper).map((mapper) => {
    const { id, plugin, declaration } = mapper;
    const { displayName, helpText = '' } = texts.description(mapper) ?? { displayName: id, helpText: plugin.name };
    const settings = texts.schema(mapper, declaration.settings);
    // The flags come last, as in Keycloak's mappers. A plugin that declares one itself has its own title and default.
    const withFlags = { ...settings?.properties, ...flags?.properties, ...settings?.properties };
    const properties = settingsProperties(plugin.builtin ? settings : { ...settings, properties: withFlags });
    return { id, name: displayName, category: 'Token mapper', helpText, priority: 0, properties };
  });
}

/** The mappers of the built-in client scopes, which the admin console offers as predefined mappers. */
export function builtInMappers() {
  const mappers = BUILT_IN_CLIENT_SCOPES.flatMap(({ protocolMappers = [] }) => protocolMappers);
  return mappers.filter(({ protocol }) => protocol === 'openid-connect');
}
