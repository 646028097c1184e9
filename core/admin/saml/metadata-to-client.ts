import { X509Certificate } from 'node:crypto';
import { defined } from '../../model/defined.js';
import type { ProtocolMapperRepresentation } from '../../model/representation.js';
import { type AdminError, badRequestError } from '../admin.js';
import { type Binding, certificatesOf, entitiesOf, isMetadata, locationOf, metadataChildren } from './metadata.js';
import { readXml, type XmlElement } from './read-xml.js';

/** Keycloak's settings for SAML name ID formats. */
const NAME_ID_FORMATS: Readonly<Record<string, string>> = {
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified': 'username',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress': 'email',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient': 'transient',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent': 'persistent',
};
const ATTRIBUTE_FORMATS: Readonly<Record<string, string>> = {
  'urn:oasis:names:tc:SAML:2.0:attrname-format:uri': 'URI Reference',
  'urn:oasis:names:tc:SAML:2.0:attrname-format:basic': 'Basic',
  'urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified': 'Unspecified',
};

/**
 * Converts metadata of a SAML service provider to a client, like Keycloak's EntityDescriptorDescriptionConverter.
 * @throws AdminError 400, with Keycloak's text
 */
export async function samlMetadataToClient(text: string): Promise<object> {
  const root = await readXml(text);
  if (root === undefined || !isMetadata(root)) throw badRequestError('Unsupported format');
  const [entity, ...others] = entitiesOf(root);
  if (entity === undefined || others.length > 0) throw badRequestError('Expected one entity descriptor');
  const [provider] = metadataChildren(entity, 'SPSSODescriptor');
  if (provider === undefined) throw badRequestError('No SPSSODescriptorType defined in the entity descriptor file');
  const clientId = entity.attributes.get('entityID');
  if (!clientId) throw badMetadataError();
  const login = (binding: Binding) => locationOf(provider, 'AssertionConsumerService', binding);
  const logout = (binding: Binding) => locationOf(provider, 'SingleLogoutService', binding);
  const flagOf = (name: string) => (provider.attributes.get(name) === 'true' ? 'true' : undefined);
  const signingCertificate = certificateOf(provider, 'signing');
  const encryption = certificateOf(provider, 'encryption');
  const formats = metadataChildren(provider, 'NameIDFormat').map((element) => NAME_ID_FORMATS[element.text.trim()]);
  const addresses = (['HTTP-POST', 'HTTP-Redirect', 'PAOS', 'HTTP-Artifact'] as const).map(login);
  return {
    clientId,
    redirectUris: addresses.filter((address) => address !== undefined),
    protocol: 'saml',
    attributes: defined({
      'saml.server.signature': 'true',
      'saml.server.signature.keyinfo.ext': 'false',
      'saml.signature.algorithm': 'RSA_SHA256',
      'saml.authnstatement': 'true',
      'saml.assertion.signature': flagOf('WantAssertionsSigned'),
      'saml.client.signature': flagOf('AuthnRequestsSigned'),
      'saml.signing.certificate': signingCertificate,
      'saml.encrypt': encryption === undefined ? undefined : 'true',
      'saml.encryption.certificate': encryption,
      saml_name_id_format: formats.find((nameIdFormat) => nameIdFormat !== undefined),
      saml_assertion_consumer_url_post: addresses[0],
      saml_assertion_consumer_url_redirect: addresses[1],
      saml_artifact_binding_url: addresses[3],
      saml_single_logout_service_url_post: logout('HTTP-POST'),
      saml_single_logout_service_url_redirect: logout('HTTP-Redirect'),
      saml_single_logout_service_url_soap: logout('SOAP'),
    }),
    fullScopeAllowed: true,
    protocolMappers: mappersOf(provider),
  };
}

function certificateOf(provider: XmlElement, use: 'signing' | 'encryption'): string | undefined {
  const [certificate] = certificatesOf(provider, use);
  if (certificate === undefined) return undefined;
  try {
    return new X509Certificate(Buffer.from(certificate, 'base64')).raw.toString('base64');
  } catch {
    throw badMetadataError();
  }
}

function mappersOf(provider: XmlElement): ProtocolMapperRepresentation[] {
  const requestedAttributes = metadataChildren(provider, 'AttributeConsumingService').flatMap((service) =>
    metadataChildren(service, 'RequestedAttribute'),
  );
  return requestedAttributes.map(({ attributes }) => ({
    name: attributes.get('Name') ?? '',
    protocol: 'saml',
    protocolMapper: 'saml-user-attribute-mapper',
    consentRequired: false,
    config: defined({
      'attribute.name': attributes.get('Name'),
      'attribute.nameformat': ATTRIBUTE_FORMATS[attributes.get('NameFormat') ?? ''],
      'friendly.name': attributes.get('FriendlyName'),
    }),
  }));
}

function badMetadataError(): AdminError {
  return badRequestError('HTTP 400 Bad Request');
}
