import { Validator } from '@keyhost/spi';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { settingsProperties } from './settings-properties.js';

/** The validators that a user profile can use: Keycloak's and those of plugins. */
export function validatorTypes(providers: Pick<Providers, 'all'>, texts: AdminTexts) {
  return providers.all(Validator).map((validator) => {
    const { displayName, helpText = displayName ?? validator.plugin.name } = texts.description(validator) ?? {};
    const properties = settingsProperties(texts.schema(validator, validator.declaration.settings));
    return { id: validator.id, helpText, properties, metadata: {} };
  });
}
