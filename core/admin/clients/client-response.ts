import { CLIENT_DEFAULTS } from '../../model/client-defaults.js';
import { clientScopeNames } from '../../model/client-scope-names.js';
import { defined } from '../../model/defined.js';
import { MASK } from '../../model/mask.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { maskTexts } from '../text-config.js';
import type { StoredClient } from './find-client.js';
import { responseOverrides } from './flow-overrides.js';

/**
 * A client as Keycloak's API shows it.
 * @param manages true if the caller may manage it; other callers see no secret
 */
export function clientResponse(
  realm: RealmRepresentation,
  stored: StoredClient,
  manages: boolean,
): ClientRepresentation {
  const { registrationTokenId: _, secret, registrationAccessToken, protocolMappers, ...client } = stored;
  // Clients that define administration rights cannot be changed: see refuse-administration.ts.
  const changes = manages && stored.clientId !== 'realm-management' && stored.attributes?.realm_client !== 'true';
  const mappers = protocolMappers?.map((mapper) =>
    manages || mapper.config === undefined ? mapper : { ...mapper, config: maskTexts<string>(mapper.config) },
  );
  return {
    ...CLIENT_DEFAULTS,
    ...client,
    ...defined({
      secret: secret === undefined || client.publicClient === true ? undefined : manages ? secret : MASK,
      registrationAccessToken: manages ? registrationAccessToken : undefined,
      // As in Keycloak, an empty list is left out.
      protocolMappers: mappers?.length === 0 ? undefined : mappers,
    }),
    attributes: manages ? (client.attributes ?? {}) : maskTexts<string>(client.attributes ?? {}),
    authenticationFlowBindingOverrides: responseOverrides(realm, client.authenticationFlowBindingOverrides),
    ...clientScopeNames(client, realm),
    access: { view: true, configure: changes, manage: changes },
  };
}
