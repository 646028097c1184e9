import { ClientPolicyCondition, type ClientPolicyDeclaration, ClientPolicyExecutor, type Spi } from '@keyhost/spi';
import { NEGATIVE_LOGIC } from '../../realms/client-policies/condition.js';
import { CONDITIONS } from '../../realms/client-policies/conditions.js';
import { EXECUTORS } from '../../realms/client-policies/executors.js';
import type { PolicyProperty } from '../../realms/client-policies/property.js';
import type { Providers } from '../../registry/generations/generation.js';
import type { AdminTexts } from '../admin-texts.js';
import { type ConfigProperty, createField } from './config-property.js';
import { settingsProperties } from './settings-properties.js';

interface BuiltInType {
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
}

/** The types of client policy conditions and executors, for Keycloak's admin console. */
export function clientPolicyTypes(providers: Pick<Providers, 'all'>, texts: AdminTexts) {
  return {
    'org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider': typesOf(
      providers,
      texts,
      ClientPolicyCondition,
      CONDITIONS,
      [toField(NEGATIVE_LOGIC)],
    ),
    'org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider': typesOf(
      providers,
      texts,
      ClientPolicyExecutor,
      EXECUTORS,
      [],
    ),
  };
}

/** @param common fields that the host adds to those of plugins */
function typesOf<P>(
  providers: Pick<Providers, 'all'>,
  texts: AdminTexts,
  spi: Spi<ClientPolicyDeclaration, P>,
  builtInTypes: readonly BuiltInType[],
  common: readonly ConfigProperty[],
) {
  return providers.all(spi).map((provider) => {
    const { id, plugin, declaration } = provider;
    const builtIn = plugin.builtin ? builtInTypes.find((candidate) => candidate.id === id) : undefined;
    const { displayName, helpText = displayName ?? plugin.name } = texts.description(provider) ?? {};
    const properties = builtIn
      ? builtIn.properties.map(toField)
      : [...common, ...settingsProperties(texts.schema(provider, declaration.settings))];
    return { id, helpText, properties, clientProperties: [], metadata: {} };
  });
}

function toField({ name, label, type, isSeconds, ...members }: PolicyProperty): ConfigProperty {
  const { defaultValue } = members;
  return createField(name, type, label, {
    ...members,
    // The form's field is a text field, so the default must be a string.
    ...(isSeconds === true ? { defaultValue: String(defaultValue) } : {}),
  });
}
