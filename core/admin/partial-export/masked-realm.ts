import { KEY_PROVIDER } from '../../keys/component-key.js';
import { defined } from '../../model/defined.js';
import { MASK } from '../../model/mask.js';
import type { ClientRepresentation, ComponentRepresentation, RealmRepresentation } from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { maskConfig } from '../providers/config-secrets.js';
import { maskTexts } from '../text-config.js';

/** A copy of a stored realm with all secrets masked. */
export function maskedRealm(realm: RealmRepresentation, registry: ProviderRegistry): RealmRepresentation {
  const { privateKey: _, certificate: __, publicKey: ___, ...copy } = structuredClone(realm);
  const masked = copy as RealmRepresentation;
  const each = <T extends { config?: Record<string, string> }>(items: T[] | undefined) =>
    items?.map((item) => ({ ...item, config: maskTexts<string>(item.config) }));
  return defined({
    ...masked,
    smtpServer: maskMembers(masked.smtpServer as object | undefined),
    clients: masked.clients?.map(maskedClient),
    components: masked.components && maskedComponents(masked.components),
    authenticatorConfig: each(masked.authenticatorConfig),
    requiredActions: each(masked.requiredActions),
    identityProviders: each(masked.identityProviders),
    identityProviderMappers: each(masked.identityProviderMappers),
    providers: masked.providers && maskedProviders(masked.providers, registry),
  });
}

function maskedClient({ registrationAccessToken: _, ...client }: ClientRepresentation): ClientRepresentation {
  return defined({
    ...(client as ClientRepresentation),
    secret: client.secret === undefined ? undefined : MASK,
    attributes: client.attributes && maskTexts<string>(client.attributes),
  });
}

/** Key components are exported without their kids, which would announce keys that the export does not contain. */
function maskedComponents(components: Readonly<Record<string, ComponentRepresentation[]>>) {
  return Object.fromEntries(
    Object.entries(components).map(([type, list]) => [
      type,
      list.map((component): ComponentRepresentation => {
        const { kid, certificate, ...config } = component.config ?? {};
        const inner = component.subComponents as Record<string, ComponentRepresentation[]> | undefined;
        return {
          ...component,
          config: maskTexts<string[]>(type === KEY_PROVIDER ? config : component.config),
          ...defined({ subComponents: inner && maskedComponents(inner) }),
        };
      }),
    ]),
  );
}

function maskedProviders(providers: NonNullable<RealmRepresentation['providers']>, registry: ProviderRegistry) {
  const list = registry.list();
  return Object.fromEntries(
    Object.entries(providers).map(([spi, settings]) => [
      spi,
      Object.fromEntries(
        Object.entries(settings).map(([id, { config, ...setting }]) => {
          const found = list.find((one) => one.spi.id === spi && one.id === id);
          // Without the provider's schema, every member could be a secret.
          const schema = found === undefined ? { additionalProperties: { writeOnly: true } } : found.realmConfig;
          const masked = config && { config: maskConfig(config, schema) as Record<string, unknown> };
          return [id, { ...setting, ...masked }];
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
