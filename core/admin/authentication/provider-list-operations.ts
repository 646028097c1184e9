import { ClientAuthenticator } from '@keyhost/spi';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { type AdminOperation, ok } from '../operation.js';
import { field } from '../server-info/config-property.js';
import { settingsProperties } from '../server-info/settings-properties.js';
import { clientAuthenticators, describeStep, FORMS, stepsToAdd } from './step-catalogue.js';

export interface ProviderListOperationParts {
  readonly registry: ProviderRegistry;
}

/** Who may read how clients prove who they are. */
const CLIENT_READERS = ['view-realm', 'view-clients', 'query-clients'];
/** Client authenticators that know a client by a secret. */
const WITH_SECRET = ['client-secret', 'client-secret-jwt'];
/** What a client says for a client authenticator of its own, among its attributes. */
const OF_CLIENT: Readonly<Record<string, readonly object[]>> = {
  'federated-jwt': [
    field('jwt.credential.issuer', 'String', 'Identity provider', { required: true }),
    field('jwt.credential.sub', 'String', 'Federated subject', { required: true }),
  ],
};

/** Which steps flows may be made of. What Keycloak has and this host does not is told so in its description. */
export function providerListOperations({ registry }: ProviderListOperationParts): AdminOperation[] {
  const list = (
    path: string,
    summary: string,
    items: () => unknown,
    roles: readonly string[] = ['view-realm'],
  ): AdminOperation => ({
    method: 'GET',
    path: `/authentication/${path}`,
    tag: 'Authentication Management',
    summary,
    roles,
    answers: { status: 200 },
    handle: () => ok(items()),
  });
  const described = (ids: readonly string[]) =>
    ids.map((id) => {
      const { displayName, description } = describeStep(id, registry);
      return { id, displayName, description };
    });
  const settingsOf = (id: string) => settingsProperties(registry.find(ClientAuthenticator, id)?.declaration.settings);
  return [
    list('authenticator-providers', 'The authenticators that a flow can contain', () =>
      described(stepsToAdd(registry, 'basic-flow')),
    ),
    list(
      'client-authenticator-providers',
      'The client authenticators',
      () =>
        described(clientAuthenticators(registry)).map((step) => ({
          ...step,
          supportsSecret: WITH_SECRET.includes(step.id),
        })),
      CLIENT_READERS,
    ),
    list('form-providers', 'The forms', () => described(FORMS)),
    list('form-action-providers', 'The form actions', () => described(stepsToAdd(registry, 'form-flow'))),
    list(
      'per-client-config-description',
      'The settings of each client authenticator',
      () => Object.fromEntries(clientAuthenticators(registry).map((id) => [id, OF_CLIENT[id] ?? settingsOf(id)])),
      CLIENT_READERS,
    ),
  ];
}
