import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../config/did-you-mean.js';
import { compileSchema, schemaProblems } from '../config/json/schema-check.js';
import type { UserProfile } from '../model/user-profile.js';
import { isBuiltInValidator } from '../users/profile/plugin-validators.js';
import { validatorConfig } from '../users/profile/validator-config.js';
import type { KnownProviders } from './known-providers.js';

/**
 * Finds problems of the validators that a user profile names, and of their settings, in Keycloak's words with the
 * reason.
 */
export function validatorMistakes(
  { attributes }: UserProfile,
  { providers = [], hasLeftOutPlugin = false }: KnownProviders,
): string[] {
  const validators = new Map(providers.flatMap((one) => (one.spi === 'validator' ? [[one.id, one] as const] : [])));
  return attributes.flatMap(({ name, validations }) =>
    Object.entries(validations ?? {}).flatMap(([id, sentConfig]) => {
      const validator = validators.get(id);
      const prefix = `Validator '${id}' defined for attribute '${name}'`;
      if (validator === undefined) {
        if (isBuiltInValidator(id) || hasLeftOutPlugin) return [];
        const suggestion = didYouMean(id, [...validators.keys()]);
        return [`${prefix} doesn't exist${suggestion === undefined ? '' : `; did you mean '${suggestion}'?`}`];
      }
      const { settings } = (validator.declaration ?? {}) as { readonly settings?: JsonSchema };
      const config = validatorConfig(settings, sentConfig);
      // Keycloak's own validators ignore unknown settings.
      const readKeys = validator.builtin ? Object.keys(settings?.properties ?? {}) : Object.keys(config);
      const problems = settingsProblems(
        settings,
        Object.fromEntries(Object.entries(config).filter(([key]) => readKeys.includes(key))),
      );
      return problems.length === 0 ? [] : [`${prefix} has incorrect configuration: ${problems.join('; ')}`];
    }),
  );
}

function settingsProblems(settings: JsonSchema | undefined, config: object): string[] {
  if (settings === undefined) return Object.keys(config).map((key) => `${key}: it has no settings`);
  const check = compileSchema({ additionalProperties: false, ...settings });
  if (check(config)) return [];
  return schemaProblems(check).map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
}
