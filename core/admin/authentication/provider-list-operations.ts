import { ClientAuthenticator } from '@keyhost/spi';
import { SECRET_AUTHENTICATORS } from '../../model/client-secrets.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, ok } from '../operation.js';
import { createField } from '../server-info/config-property.js';
import { settingsProperties } from '../server-info/settings-properties.js';
import { addableSteps, clientAuthenticators, describeStep, FORM_STEPS } from './step-catalogue.js';

export interface ProviderListOperationParts {
  readonly registry: ProviderRegistry;
}

/** Roles that may list client authenticators. */
const CLIENT_READERS = ['view-realm', 'view-clients', 'query-clients'];
/** The settings of client authenticators that only Keycloak supports. They are attributes of the client. */
const CLIENT_FIELDS: Readonly<Record<string, readonly object[]>> = {
  'federated-jwt': [
    createField('jwt.credential.issuer', 'String', 'Identity provider', { required: true }),
    createField('jwt.credential.sub', 'String', 'Federated subject', { required: true }),
  ],
};

/** Operations that list the steps for flows. The description of a step contains a note if only Keycloak supports it. */
export function providerListOperations({ registry }: ProviderListOperationParts): AdminOperation[] {
  const listOperation = (
    path: string,
    summary: string,
    items: (texts: AdminTexts) => unknown,
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
  const describeAll = (ids: readonly string[], texts: AdminTexts) =>
    ids.map((id) => {
      const { displayName, description } = describeStep(id, registry, texts);
      return { id, displayName, description };
    });
  const settingsOf = (id: string, texts: AdminTexts) => {
    const authenticator = registry.find(ClientAuthenticator, id);
    return settingsProperties(authenticator && texts.schema(authenticator, authenticator.declaration.settings));
  };
  return [
    listOperation('authenticator-providers', 'The authenticators that a flow can contain', (texts) =>
      describeAll(addableSteps(registry, 'basic-flow'), texts),
    ),
    listOperation(
      'client-authenticator-providers',
      'The client authenticators',
      (texts) =>
        describeAll(clientAuthenticators(registry), texts).map((step) => ({
          ...step,
          supportsSecret: SECRET_AUTHENTICATORS.includes(step.id),
        })),
      CLIENT_READERS,
    ),
    listOperation('form-providers', 'The forms', (texts) => describeAll(FORM_STEPS, texts)),
    listOperation('form-action-providers', 'The form actions', (texts) =>
      describeAll(addableSteps(registry, 'form-flow'), texts),
    ),
    listOperation(
      'per-client-config-description',
      'The settings of each client authenticator',
      (texts) =>
        Object.fromEntries(
          clientAuthenticators(registry).map((id) => [id, CLIENT_FIELDS[id] ?? settingsOf(id, texts)]),
        ),
      CLIENT_READERS,
    ),
  ];
}
