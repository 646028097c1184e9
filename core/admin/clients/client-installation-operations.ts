import { isConfidential } from '../../model/client-secrets.js';
import { MASK } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import type { Users } from '../../users/users.js';
import { notFound } from '../admin.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminOperation, ok } from '../operation.js';
import { rolesOf } from '../roles/placed-role.js';
import { mayManage } from './client-rights.js';
import { clientWithId, type StoredClient } from './find-client.js';

const TAG = 'Clients';
const PATH = '/clients/{clientUuid}';

/** What an application is given to know its client by. */
export function clientInstallationOperations(parts: { readonly users: Users }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: `${PATH}/installation/providers/{providerId}`,
      tag: TAG,
      summary: "Keycloak's adapter configuration: keycloak-oidc-keycloak-json",
      roles: ['view-clients'],
      answers: { status: 200, body: { type: 'object' } },
      async handle(call) {
        const { realm, params } = call;
        const client = clientWithId(realm.representation, params.clientUuid);
        if (params.providerId !== 'keycloak-oidc-keycloak-json') throw notFound('Unknown Provider');
        return ok(adapterConfiguration(realm, client, await mayManage(parts.users, call, client)));
      },
    },
    ...managementPermissions(
      { path: PATH, tag: TAG, view: ['view-clients'], manage: ['manage-clients'] },
      ({ realm, params }) => void clientWithId(realm.representation, params.clientUuid),
    ),
  ];
}

/** Keycloak's `keycloak.json`. @param manages false: the secret is masked */
export function adapterConfiguration(realm: Realm, client: StoredClient, manages: boolean): object {
  const { clientId, publicClient, bearerOnly, secret } = client;
  const hasRoles = rolesOf(realm.representation, clientId).length > 0;
  return {
    realm: realm.name,
    'auth-server-url': `${realm.baseUrl}/`,
    'ssl-required': realm.sslRequired,
    resource: clientId,
    ...(publicClient === true && bearerOnly !== true ? { 'public-client': true } : {}),
    ...(bearerOnly === true ? { 'bearer-only': true } : {}),
    ...(hasRoles ? { 'verify-token-audience': true, 'use-resource-role-mappings': true } : {}),
    ...(isConfidential(client) && secret !== undefined ? { credentials: { secret: manages ? secret : MASK } } : {}),
    'confidential-port': 0,
  };
}
