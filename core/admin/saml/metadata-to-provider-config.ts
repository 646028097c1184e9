import { defined } from '../../model/defined.js';
import { certificatesOf, entitiesOf, isMetadata, locationOf, metadataChildren } from './metadata.js';
import { readXml } from './read-xml.js';

/**
 * Converts SAML metadata to the `config` of an identity provider, like Keycloak's SAMLIdentityProviderFactory. It uses
 * the first entity that is an identity provider. If there is none, it returns an empty object.
 * @param now milliseconds since the epoch
 * @returns undefined if the text is not SAML metadata
 */
export async function samlMetadataToProviderConfig(
  text: string,
  now: number,
): Promise<Record<string, string> | undefined> {
  const root = await readXml(text);
  if (root === undefined || !isMetadata(root)) return undefined;
  const [match] = entitiesOf(root).flatMap((entity) =>
    metadataChildren(entity, 'IDPSSODescriptor').map((provider) => ({ entity, provider })),
  );
  if (match === undefined) return {};
  const { entity, provider } = match;
  const [postUrl, logoutUrl] = ['SingleSignOnService', 'SingleLogoutService'].map((endpoint) =>
    locationOf(provider, endpoint, 'HTTP-POST'),
  );
  const withoutUse = certificatesOf(provider, undefined);
  const signingCertificates = [...certificatesOf(provider, 'signing'), ...withoutUse];
  const [encryption] = [...certificatesOf(provider, 'encryption'), ...withoutUse];
  const validUntil = Date.parse(entity.attributes.get('validUntil') ?? '');
  return defined({
    idpEntityId: entity.attributes.get('entityID'),
    singleSignOnServiceUrl: postUrl ?? locationOf(provider, 'SingleSignOnService', 'HTTP-Redirect'),
    singleLogoutServiceUrl: logoutUrl ?? locationOf(provider, 'SingleLogoutService', 'HTTP-Redirect'),
    artifactResolutionServiceUrl: locationOf(provider, 'ArtifactResolutionService', 'SOAP'),
    postBindingAuthnRequest: String(postUrl !== undefined),
    postBindingResponse: String(postUrl !== undefined),
    postBindingLogout: String(logoutUrl !== undefined),
    artifactBindingResponse: 'false',
    wantAuthnRequestsSigned: String(provider.attributes.get('WantAuthnRequestsSigned') === 'true'),
    validateSignature: String(signingCertificates.length > 0),
    signingCertificate: signingCertificates.length > 0 ? signingCertificates.join(',') : undefined,
    encryptionPublicKey: encryption,
    nameIDPolicyFormat: metadataChildren(provider, 'NameIDFormat')[0]?.text.trim(),
    addExtensionsElementWithKeyInfo: 'false',
    loginHint: 'false',
    enabledFromMetadata: String(Number.isNaN(validUntil) || validUntil > now),
  });
}
