import { PasswordPolicy, type PasswordPolicyDeclaration } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { AdminTexts } from '../admin-texts.js';

/** Keycloak's PasswordPolicyTypeRepresentation of each policy. */
export function passwordPolicyTypes(registry: ProviderRegistry, texts: AdminTexts) {
  return registry.all(PasswordPolicy).map((policy) => ({
    id: policy.id,
    displayName: texts.description(policy)?.displayName ?? policy.id,
    multipleSupported: policy.id === 'regexPattern',
    ...valueMembers(policy.declaration),
  }));
}

function valueMembers({ value, defaultValue }: PasswordPolicyDeclaration) {
  return defined({
    configType: value && (value.type === 'integer' ? 'int' : 'String'),
    defaultValue: defaultValue === undefined ? undefined : String(defaultValue),
  });
}
