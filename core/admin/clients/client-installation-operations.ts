import type { Users } from '../../users/users.js';
import { notFoundError } from '../admin.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminOperation, ok } from '../operation.js';
import { formatSpDescriptor } from '../saml/sp-descriptor.js';
import { adapterConfiguration, formatSecureDeployment } from './adapter-configuration.js';
import { mayManageClient } from './client-rights.js';
import { requireClient } from './find-client.js';

const TAG = 'Clients';
const PATH = '/clients/{clientUuid}';

/** Operations for Keycloak's adapter configurations of a client, and for its management permissions. */
export function clientInstallationOperations(parts: { readonly users: Users }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: `${PATH}/installation/providers/{providerId}`,
      tag: TAG,
      summary:
        "Keycloak's adapter configuration: keycloak-oidc-keycloak-json, keycloak-oidc-jboss-subsystem or saml-sp-descriptor",
      roles: ['view-clients'],
      answers: { status: 200, body: { type: 'object' } },
      async handle(call) {
        const { realm, params } = call;
        const client = requireClient(realm.representation, params.clientUuid);
        const adapter = adapterConfiguration(realm, client, await mayManageClient(parts.users, call, client));
        switch (params.providerId) {
          case 'keycloak-oidc-keycloak-json':
            return ok(adapter);
          case 'keycloak-oidc-jboss-subsystem':
            return { status: 200, text: { type: 'text/plain', content: formatSecureDeployment(adapter) } };
          case 'saml-sp-descriptor':
            return { status: 200, text: { type: 'text/plain', content: formatSpDescriptor(client) } };
          default:
            throw notFoundError('Unknown Provider');
        }
      },
    },
    ...managementPermissions(
      { path: `${PATH}/management/permissions`, tag: TAG, view: ['view-clients'], manage: ['manage-clients'] },
      ({ realm, params }) => void requireClient(realm.representation, params.clientUuid),
    ),
  ];
}
