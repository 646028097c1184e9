import { PasswordPolicy } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';

/** Keycloak's PasswordPolicyTypeRepresentation of every policy. */
export function passwordPolicyTypes(registry: ProviderRegistry) {
  return registry.all(PasswordPolicy).map(({ id, declaration: { describe, value, defaultValue } }) => ({
    id,
    displayName: describe?.displayName ?? id,
    multipleSupported: id === 'regexPattern',
    ...defined({
      configType: value && (value.type === 'integer' ? 'int' : 'String'),
      defaultValue: defaultValue === undefined ? undefined : String(defaultValue),
    }),
  }));
}
