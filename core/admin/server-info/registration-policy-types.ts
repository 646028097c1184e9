import { ClientRegistrationPolicy } from '@keyhost/spi';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { settingsProperties } from './settings-properties.js';

/**
 * The client registration policies of this host: Keycloak's and those of plugins. @param choices the realm's values by
 * format
 */
export function registrationPolicyTypes(
  providers: Pick<Providers, 'all'>,
  choices: Readonly<Record<string, readonly string[]>>,
  words: AdminTexts,
) {
  return providers.all(ClientRegistrationPolicy).map((policy) => {
    const { displayName, helpText = displayName ?? policy.plugin.name } = words.description(policy) ?? {};
    const settings = words.schema(policy, policy.declaration.settings);
    return { id: policy.id, helpText, properties: settingsProperties(settings, choices), metadata: {} };
  });
}
