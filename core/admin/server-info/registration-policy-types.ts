import { ClientRegistrationPolicy } from '@keyhost/spi';
import type { Providers } from '../../registry/generations/generation.js';
import { settingsProperties } from './settings-properties.js';

/** The policies of client registration that this host has, Keycloak's and those of plugins. @param choices of a realm */
export function registrationPolicyTypes(
  providers: Pick<Providers, 'all'>,
  choices: Readonly<Record<string, readonly string[]>>,
) {
  return providers.all(ClientRegistrationPolicy).map(({ id, plugin, declaration: { describe, settings } }) => {
    const { helpText = describe?.displayName ?? plugin.name } = describe ?? {};
    return { id, helpText, properties: settingsProperties(settings, choices), metadata: {} };
  });
}
