import { PasswordPolicy, type PasswordPolicyDeclaration } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';

/** Keycloak's PasswordPolicyTypeRepresentation of every policy. */
export function passwordPolicyTypes(registry: ProviderRegistry, words: AdminTexts) {
  return registry.all(PasswordPolicy).map((policy) => ({
    id: policy.id,
    displayName: words.description(policy)?.displayName ?? policy.id,
    multipleSupported: policy.id === 'regexPattern',
    ...ofValue(policy.declaration),
  }));
}

function ofValue({ value, defaultValue }: PasswordPolicyDeclaration) {
  return defined({
    configType: value && (value.type === 'integer' ? 'int' : 'String'),
    defaultValue: defaultValue === undefined ? undefined : String(defaultValue),
  });
}
