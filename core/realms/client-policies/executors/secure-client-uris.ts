import type { ClientRepresentation } from '../../../model/representation.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { type ClientUriField, clientUris } from './client-uri-fields.js';

/** The fields that Keycloak's executor checks, in its order, with their names in its messages. */
const FIELDS: readonly (readonly [field: ClientUriField, name: string])[] = [
  ['rootUrl', 'rootUrl'],
  ['adminUrl', 'adminUrl'],
  ['baseUrl', 'baseUrl'],
  ['backchannelLogoutUrl', 'logoutUrl'],
  ['redirectUris', 'redirectUris'],
  ['webOrigins', 'webOrigins'],
  ['jwksUri', 'jwksUri'],
  ['requestUris', 'requestUris'],
  ['cibaClientNotificationEndpoint', 'cibaClientNotificationEndpoint'],
  ['postLogoutRedirectUris', 'postLogoutUris'],
  ['logoUri', 'logoUri'],
  ['tosUri', 'tosUri'],
  ['policyUri', 'policyUri'],
];

/** Every address of a client must begin with https:// and contain no `*`. */
export const secureClientUris: ClientPolicyExecutor = {
  id: 'secure-client-uris',
  helpText: 'Requires clients whose addresses all begin with https:// and have no "*".',
  properties: [],
  requests: ['AUTHORIZATION_REQUEST'],
  request(_config, { redirectUri }) {
    if (!redirectUri) throw policyRefusalError('invalid_request', 'no redirect_uri specified.');
    if (!isSecure(redirectUri)) throw policyRefusalError('invalid_request', 'Invalid redirect_uri');
  },
  change(_config, { event, client }) {
    for (const [field, name] of FIELDS) {
      if (urisOf(client, field).every(isSecure)) continue;
      throw policyRefusalError('invalid_client_metadata', `Invalid ${name}`);
    }
    // As in Keycloak, the root URL is the redirect URI of a client without one.
    if (event === 'REGISTER' && client.rootUrl && (client.redirectUris ?? []).length === 0) {
      client.redirectUris = [client.rootUrl];
    }
  },
};

function isSecure(address: string): boolean {
  return address.startsWith('https://') && !address.includes('*');
}

/** `+` means the redirect URIs, which are checked themselves. */
function urisOf(client: ClientRepresentation, field: ClientUriField): string[] {
  const uris = clientUris(client, field);
  return field === 'webOrigins' || field === 'postLogoutRedirectUris' ? uris.filter((one) => one !== '+') : uris;
}
