import { randomUUID } from 'node:crypto';
import type { StoredClient } from '../clients/find-client.js';
import { BINDING } from './metadata.js';

/** Keycloak's placeholder for a client without a URL. */
const UNSET_URL = 'ERROR:ENDPOINT_NOT_SET';
const FORMATS: Readonly<Record<string, string>> = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
};
const OTHER_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

/** Formats metadata of a SAML service provider from its client (Keycloak's SamlSPDescriptorClientInstallation). */
export function formatSpDescriptor(client: StoredClient): string {
  const { clientId, adminUrl, protocol, attributes = {} } = client;
  // The defaults of new SAML clients in Keycloak.
  const defaultFlag = String(protocol === 'saml');
  const usesPost = (attributes['saml.force.post.binding'] ?? defaultFlag) === 'true';
  const binding = `${BINDING}${usesPost ? 'HTTP-POST' : 'HTTP-Redirect'}`;
  const address = (key: string) => attributes[`${key}_${usesPost ? 'post' : 'redirect'}`] || adminUrl || UNSET_URL;
  const signsRequests = (attributes['saml.client.signature'] ?? defaultFlag) === 'true';
  const keys = [
    ...(signsRequests ? formatKey('signing', attributes['saml.signing.certificate']) : []),
    ...(attributes['saml.encrypt'] === 'true'
      ? formatKey('encryption', attributes['saml.encryption.certificate'])
      : []),
  ];
  return [
    '<md:EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ',
    'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ',
    `entityID="${escapeXml(clientId)}" ID="ID_${randomUUID()}">`,
    '<md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ',
    `AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="${attributes['saml.assertion.signature'] === 'true'}">`,
    ...keys,
    `<md:SingleLogoutService Binding="${binding}" Location="${escapeXml(address('saml_single_logout_service_url'))}">`,
    '</md:SingleLogoutService>',
    `<md:NameIDFormat>${FORMATS[attributes.saml_name_id_format ?? ''] ?? OTHER_FORMAT}</md:NameIDFormat>`,
    `<md:AssertionConsumerService Binding="${binding}" `,
    `Location="${escapeXml(address('saml_assertion_consumer_url'))}" isDefault="true" index="1">`,
    '</md:AssertionConsumerService></md:SPSSODescriptor></md:EntityDescriptor>',
  ].join('');
}

function formatKey(use: string, certificate: string | undefined): string[] {
  if (!certificate) return [];
  const data = `<ds:X509Data><ds:X509Certificate>${escapeXml(certificate)}</ds:X509Certificate></ds:X509Data>`;
  return [`<md:KeyDescriptor use="${use}"><ds:KeyInfo>${data}</ds:KeyInfo></md:KeyDescriptor>`];
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (sign) => (sign === '&' ? '&amp;' : `&#${sign.charCodeAt(0)};`));
}
