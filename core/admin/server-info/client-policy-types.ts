import { CONDITIONS } from '../../realms/client-policies/conditions.js';
import { EXECUTORS } from '../../realms/client-policies/executors.js';
import type { PolicyProperty } from '../../realms/client-policies/property.js';
import { type ConfigProperty, field } from './config-property.js';

interface Described {
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
}

/** What client profiles and policies are made of, as Keycloak's console shows it. */
export const CLIENT_POLICY_TYPES = {
  'org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider': CONDITIONS.map(typeOf),
  'org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider': EXECUTORS.map(typeOf),
};

function typeOf({ id, helpText, properties }: Described) {
  return { id, helpText, properties: properties.map(fieldOf), clientProperties: [], metadata: {} };
}

function fieldOf({ name, label, type, isSeconds, ...more }: PolicyProperty): ConfigProperty {
  const { defaultValue } = more;
  return field(name, type, label, {
    ...more,
    // A form of texts shows a text.
    ...(isSeconds === true ? { defaultValue: String(defaultValue) } : {}),
  });
}
