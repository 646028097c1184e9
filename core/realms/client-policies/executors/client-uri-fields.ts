import type { ClientRepresentation } from '../../../model/representation.js';

/** Attributes of a client that hold addresses, by Keycloak's names of the fields. */
const ATTRIBUTES = {
  jwksUri: 'jwks.url',
  requestUris: 'request.uris',
  backchannelLogoutUrl: 'backchannel.logout.url',
  postLogoutRedirectUris: 'post.logout.redirect.uris',
  cibaClientNotificationEndpoint: 'ciba.backchannel.client.notification.endpoint',
  logoUri: 'logoUri',
  policyUri: 'policyUri',
  tosUri: 'tosUri',
  sectorIdentifierUri: 'sectorIdentifierUri',
} as const;
const SAML_URI_FIELDS = [
  'saml_assertion_consumer_url_post',
  'saml_assertion_consumer_url_redirect',
  'saml_artifact_binding_url',
  'saml_single_logout_service_url_post',
  'saml_single_logout_service_url_artifact',
  'saml_single_logout_service_url_redirect',
  'saml_single_logout_service_url_soap',
  'saml_artifact_resolution_service_url',
  'saml.metadataDescriptorUrl',
] as const;

/** Keycloak's names of the fields of a client that contain addresses. */
export const CLIENT_URI_FIELDS = [
  ...(['rootUrl', 'adminUrl', 'baseUrl', 'redirectUris', 'webOrigins'] as const),
  ...(Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[]),
  ...SAML_URI_FIELDS,
] as const;

export type ClientUriField = (typeof CLIENT_URI_FIELDS)[number];

/** The values of a client in a field, unresolved; empty values are left out. */
export function clientUris(client: ClientRepresentation, field: ClientUriField): string[] {
  const values = isOwnField(field) ? [client[field] ?? []].flat() : urisInAttribute(client, attributeOf(field));
  return values.filter((value) => value !== '');
}

type OwnUriField = 'rootUrl' | 'adminUrl' | 'baseUrl' | 'redirectUris' | 'webOrigins';

function isOwnField(field: ClientUriField): field is OwnUriField {
  return ['rootUrl', 'adminUrl', 'baseUrl', 'redirectUris', 'webOrigins'].includes(field);
}

function attributeOf(field: Exclude<ClientUriField, OwnUriField>): string {
  return field in ATTRIBUTES ? ATTRIBUTES[field as keyof typeof ATTRIBUTES] : field;
}

function urisInAttribute({ attributes = {} }: ClientRepresentation, name: string): string[] {
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? '').split('##') : [];
}
