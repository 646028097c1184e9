import { ClientPolicyCondition, type ClientPolicyDeclaration, ClientPolicyExecutor, type Spi } from '@keyhost/spi';
import { NEGATIVE_LOGIC } from '../../realms/client-policies/condition.js';
import { CONDITIONS } from '../../realms/client-policies/conditions.js';
import { EXECUTORS } from '../../realms/client-policies/executors.js';
import type { PolicyProperty } from '../../realms/client-policies/property.js';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { type ConfigProperty, field } from './config-property.js';
import { settingsProperties } from './settings-properties.js';

interface Own {
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
}

/** The conditions and executors of client policies, for Keycloak's admin console. */
export function clientPolicyTypes(providers: Pick<Providers, 'all'>, words: AdminTexts) {
  return {
    'org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider': typesOf(
      providers,
      words,
      ClientPolicyCondition,
      CONDITIONS,
      [fieldOf(NEGATIVE_LOGIC)],
    ),
    'org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider': typesOf(
      providers,
      words,
      ClientPolicyExecutor,
      EXECUTORS,
      [],
    ),
  };
}

/** @param common fields that the host adds to those of plugins */
function typesOf<P>(
  providers: Pick<Providers, 'all'>,
  words: AdminTexts,
  spi: Spi<ClientPolicyDeclaration, P>,
  own: readonly Own[],
  common: readonly ConfigProperty[],
) {
  return providers.all(spi).map((provider) => {
    const { id, plugin, declaration } = provider;
    const built = plugin.builtin ? own.find((one) => one.id === id) : undefined;
    const { displayName, helpText = displayName ?? plugin.name } = words.description(provider) ?? {};
    const properties = built
      ? built.properties.map(fieldOf)
      : [...common, ...settingsProperties(words.schema(provider, declaration.settings))];
    return { id, helpText, properties, clientProperties: [], metadata: {} };
  });
}

function fieldOf({ name, label, type, isSeconds, ...more }: PolicyProperty): ConfigProperty {
  const { defaultValue } = more;
  return field(name, type, label, {
    ...more,
    // The form's field is a text field, so the default must be a string.
    ...(isSeconds === true ? { defaultValue: String(defaultValue) } : {}),
  });
}
