import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { type AdminOperation, ok } from '../operation.js';
import { CLIENT_AUTHENTICATORS, describeStep, FORMS, stepsToAdd } from './step-catalogue.js';

export interface ProviderListOperationParts {
  readonly registry: ProviderRegistry;
}

/** Who may read how clients prove who they are. */
const CLIENT_READERS = ['view-realm', 'view-clients', 'query-clients'];

/** Which steps flows may be made of: those that this host can run. */
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
  return [
    list('authenticator-providers', 'The authenticators that a flow can contain', () =>
      described(stepsToAdd(registry, 'basic-flow')),
    ),
    list(
      'client-authenticator-providers',
      'The client authenticators',
      () => described(CLIENT_AUTHENTICATORS).map((step) => ({ ...step, supportsSecret: step.id !== 'client-jwt' })),
      CLIENT_READERS,
    ),
    list('form-providers', 'The forms', () => described(FORMS)),
    list('form-action-providers', 'The form actions', () => described(stepsToAdd(registry, 'form-flow'))),
    list(
      'per-client-config-description',
      'The settings of each client authenticator',
      () => Object.fromEntries(CLIENT_AUTHENTICATORS.map((id) => [id, []])),
      CLIENT_READERS,
    ),
  ];
}
