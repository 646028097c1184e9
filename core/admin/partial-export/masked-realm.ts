import { KEY_PROVIDER } from '../../keys/component-key.js';
import { defined } from '../../model/defined.js';
import { MASK } from '../../model/mask.js';
import type { ClientRepresentation, ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { maskConfig } from '../providers/config-secrets.js';
import { maskSecrets } from '../text-config.js';

/** Copies a stored realm, and masks all its secrets. */
export function maskRealm(realm: RealmRepresentation, registry: ProviderRegistry): RealmRepresentation {
  const { privateKey: _, certificate: __, publicKey: ___, ...copy } = structuredClone(realm);
  const maskedRealm = copy as RealmRepresentation;
  const maskConfigs = <T extends { config?: Record<string, string> }>(items: T[] | undefined) =>
    items?.map((item) => ({ ...item, config: maskSecrets<string>(item.config) }));
  return defined({
    ...maskedRealm,
    smtpServer: maskMembers(maskedRealm.smtpServer as object | undefined),
    clients: maskedRealm.clients?.map(maskClient),
    components: maskedRealm.components && maskComponents(maskedRealm.components),
    authenticatorConfig: maskConfigs(maskedRealm.authenticatorConfig),
    requiredActions: maskConfigs(maskedRealm.requiredActions),
    identityProviders: maskConfigs(maskedRealm.identityProviders),
    identityProviderMappers: maskConfigs(maskedRealm.identityProviderMappers),
    providers: maskedRealm.providers && maskProviders(maskedRealm.providers, registry),
  });
}

function maskClient({ registrationAccessToken: _, ...client }: ClientRepresentation): ClientRepresentation {
  return defined({
    ...(client as ClientRepresentation),
    secret: client.secret === undefined ? undefined : MASK,
    attributes: client.attributes && maskSecrets<string>(client.attributes),
  });
}

/** Masks components. Those of keys lose their kid, since the export does not contain the keys. */
function maskComponents(components: Readonly<Record<string, ComponentRepresentation[]>>) {
  return Object.fromEntries(
    Object.entries(components).map(([type, list]) => [
      type,
      list.map((component): ComponentRepresentation => {
        const { kid, certificate, ...config } = component.config ?? {};
        const inner = component.subComponents as Record<string, ComponentRepresentation[]> | undefined;
        return {
          ...component,
          config: maskSecrets<string[]>(type === KEY_PROVIDER ? config : component.config),
          ...defined({ subComponents: inner && maskComponents(inner) }),
        };
      }),
    ]),
  );
}

function maskProviders(providers: NonNullable<RealmRepresentation['providers']>, registry: ProviderRegistry) {
  const providerList = registry.list();
  return Object.fromEntries(
    Object.entries(providers).map(([spi, settings]) => [
      spi,
      Object.fromEntries(
        Object.entries(settings).map(([id, { config, ...setting }]) => {
          const provider = providerList.find((candidate) => candidate.spi.id === spi && candidate.id === id);
          // Without the provider's schema, every member could be a secret.
          const schema = provider === undefined ? { additionalProperties: { writeOnly: true } } : provider.realmConfig;
          const maskedConfig = config && { config: maskConfig(config, schema) as Record<string, unknown> };
          return [id, { ...setting, ...maskedConfig }];
        }),
      ),
    ]),
  );
}

function maskMembers(members: object | undefined): object | undefined {
  if (members === undefined) return undefined;
  const entries = Object.entries(members).map(([name, value]) => [name, isSecretName(name) && value ? MASK : value]);
  return Object.fromEntries(entries);
}
