import { ClientRegistrationPolicy } from '@keyhost/spi';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { settingsProperties } from './settings-properties.js';

/**
 * The types of client registration policies: Keycloak's and those of plugins.
 * @param choices the realm's values by format
 */
export function registrationPolicyTypes(
  providers: Pick<Providers, 'all'>,
  choices: Readonly<Record<string, readonly string[]>>,
  texts: AdminTexts,
) {
  return providers.all(ClientRegistrationPolicy).map((policy) => {
    const { displayName, helpText = displayName ?? policy.plugin.name } = texts.description(policy) ?? {};
    const settings = texts.schema(policy, policy.declaration.settings);
    return { id: policy.id, helpText, properties: settingsProperties(settings, choices), metadata: {} };
  });
}
