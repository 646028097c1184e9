import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { type ClientUriField, clientUris } from './client-uri-fields.js';

/** The fields that Keycloak's executor checks, in its order, with their names in its messages. */
const FIELDS: readonly (readonly [field: ClientUriField, name: string])[] = [
  ['rootUrl', 'Root URL'],
  ['adminUrl', 'Master SAML Processing URL'],
  ['baseUrl', 'Home URL'],
];
const ATTRIBUTES: readonly (readonly [field: ClientUriField, name: string])[] = [
  ['saml_assertion_consumer_url_post', 'Assertion Consumer Service POST Binding URL'],
  ['saml_assertion_consumer_url_redirect', 'Assertion Consumer Service Redirect Binding URL'],
  ['saml_artifact_binding_url', 'Artifact Binding URL'],
  ['saml_single_logout_service_url_post', 'Logout Service POST Binding URL'],
  ['saml_single_logout_service_url_artifact', 'Logout Service ARTIFACT Binding URL'],
  ['saml_single_logout_service_url_redirect', 'Logout Service Redirect Binding URL'],
  ['saml_single_logout_service_url_soap', 'Logout Service SOAP Binding URL'],
  ['saml_artifact_resolution_service_url', 'Artifact Resolution Service'],
];
const REDIRECTS = 'Valid redirect URIs';

/**
 * Requires that the addresses of a SAML client begin with https:. Keyhost has no SAML, so it only checks clients when
 * they are created or changed.
 */
export const samlSecureClientUris: ClientPolicyExecutor = {
  id: 'saml-secure-client-uris',
  helpText: 'Requires SAML clients whose addresses begin with https:, and whose redirect URIs have no wildcard.',
  properties: [
    {
      name: 'allow-wildcard-redirects',
      label: 'Allow wildcard redirects',
      helpText: 'Allows redirect URIs that end with "*".',
      type: 'boolean',
    },
  ],
  change({ 'allow-wildcard-redirects': isWildcardAllowed }, { client }) {
    if (client.protocol !== 'saml') return;
    const requireSecure = (address: string, name: string) => {
      if (address.startsWith('https:')) return;
      throw policyRefusalError('invalid_client_metadata', `Non secure scheme for ${name}`);
    };
    for (const [field, name] of FIELDS) for (const address of clientUris(client, field)) requireSecure(address, name);
    const root = (client.rootUrl ?? '').replace(/\/$/, '');
    for (const uri of clientUris(client, 'redirectUris')) {
      const address = uri.startsWith('/') ? `${root}${uri}` : uri;
      requireSecure(address, REDIRECTS);
      if (isWildcardAllowed === true || !/^[^?#]*\*$/.test(address)) continue;
      const message = `Unsecure wildcard redirect ${address} for ${REDIRECTS}`;
      throw policyRefusalError('invalid_client_metadata', message);
    }
    for (const [field, name] of ATTRIBUTES)
      for (const address of clientUris(client, field)) requireSecure(address, name);
  },
};
