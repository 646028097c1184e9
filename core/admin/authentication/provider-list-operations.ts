import { ClientAuthenticator } from '@keyhost/spi';
import { SECRET_AUTHENTICATORS } from '../../model/client-secrets.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, ok } from '../operation.js';
import { field } from '../server-info/config-property.js';
import { settingsProperties } from '../server-info/settings-properties.js';
import { addableSteps, clientAuthenticators, describeStep, FORMS } from './step-catalogue.js';

export interface ProviderListOperationParts {
  readonly registry: ProviderRegistry;
}

/** Roles that may list client authenticators. */
const CLIENT_READERS = ['view-realm', 'view-clients', 'query-clients'];
/** Client attributes that a client authenticator reads. */
const OF_CLIENT: Readonly<Record<string, readonly object[]>> = {
  'federated-jwt': [
    field('jwt.credential.issuer', 'String', 'Identity provider', { required: true }),
    field('jwt.credential.sub', 'String', 'Federated subject', { required: true }),
  ],
};

/** Lists the steps that flows can use. Steps that only Keycloak has are marked in their descriptions. */
export function providerListOperations({ registry }: ProviderListOperationParts): AdminOperation[] {
  const list = (
    path: string,
    summary: string,
    items: (words: AdminTexts) => unknown,
    roles: readonly string[] = ['view-realm'],
  ): AdminOperation => ({
    method: 'GET',
    path: `/authentication/${path}`,
    tag: 'Authentication Management',
    summary,
    roles,
    answers: { status: 200 },
    handle: ({ exchange }) => ok(items(new AdminTexts({ exchange }))),
  });
  const described = (ids: readonly string[], words: AdminTexts) =>
    ids.map((id) => {
      const { displayName, description } = describeStep(id, registry, words);
      return { id, displayName, description };
    });
  const settingsOf = (id: string, words: AdminTexts) => {
    const found = registry.find(ClientAuthenticator, id);
    return settingsProperties(found && words.schema(found, found.declaration.settings));
  };
  return [
    list('authenticator-providers', 'The authenticators that a flow can contain', (words) =>
      described(addableSteps(registry, 'basic-flow'), words),
    ),
    list(
      'client-authenticator-providers',
      'The client authenticators',
      (words) =>
        described(clientAuthenticators(registry), words).map((step) => ({
          ...step,
          supportsSecret: SECRET_AUTHENTICATORS.includes(step.id),
        })),
      CLIENT_READERS,
    ),
    list('form-providers', 'The forms', (words) => described(FORMS, words)),
    list('form-action-providers', 'The form actions', (words) => described(addableSteps(registry, 'form-flow'), words)),
    list(
      'per-client-config-description',
      'The settings of each client authenticator',
      (words) =>
        Object.fromEntries(clientAuthenticators(registry).map((id) => [id, OF_CLIENT[id] ?? settingsOf(id, words)])),
      CLIENT_READERS,
    ),
  ];
}
