import { CLIENT_DEFAULTS } from '../../model/client-defaults.js';
import { clientScopeNames } from '../../model/client-scope-names.js';
import { defined } from '../../model/defined.js';
import { MASK } from '../../model/mask.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { maskSecrets } from '../text-config.js';
import type { StoredClient } from './find-client.js';
import { responseOverrides } from './flow-overrides.js';

/**
 * A client as Keycloak's API returns it.
 * @param canManage true if the caller may manage the client; other callers see no secret
 */
export function clientResponse(
  realm: RealmRepresentation,
  storedClient: StoredClient,
  canManage: boolean,
): ClientRepresentation {
  const { registrationTokenId: _, secret, registrationAccessToken, protocolMappers, ...client } = storedClient;
  // Clients that define administration rights cannot be changed: see refuse-admin-role-change.ts.
  const canChange =
    canManage && storedClient.clientId !== 'realm-management' && storedClient.attributes?.realm_client !== 'true';
  const mappers = protocolMappers?.map((mapper) =>
    canManage || mapper.config === undefined ? mapper : { ...mapper, config: maskSecrets<string>(mapper.config) },
  );
  return {
    ...CLIENT_DEFAULTS,
    ...client,
    ...defined({
      secret: secret === undefined || client.publicClient === true ? undefined : canManage ? secret : MASK,
      registrationAccessToken: canManage ? registrationAccessToken : undefined,
      // As in Keycloak, an empty list is left out.
      protocolMappers: mappers?.length === 0 ? undefined : mappers,
    }),
    attributes: canManage ? (client.attributes ?? {}) : maskSecrets<string>(client.attributes ?? {}),
    authenticationFlowBindingOverrides: responseOverrides(realm, client.authenticationFlowBindingOverrides),
    ...clientScopeNames(client, realm),
    access: { view: true, configure: canChange, manage: canChange },
  };
}
