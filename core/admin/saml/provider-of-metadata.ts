import { defined } from '../../model/defined.js';
import { certificatesOf, entitiesOf, isMetadata, locationOf, metadataOf } from './metadata.js';
import { readXml } from './read-xml.js';

/**
 * Converts SAML metadata to the `config` of an identity provider, like Keycloak's SAMLIdentityProviderFactory. It uses
 * the first entity that is an identity provider, and returns an empty object if there is none.
 * @param now milliseconds since the epoch
 * @returns undefined if the text is not SAML metadata
 */
export async function providerOfSamlMetadata(text: string, now: number): Promise<Record<string, string> | undefined> {
  const root = await readXml(text);
  if (root === undefined || !isMetadata(root)) return undefined;
  const [found] = entitiesOf(root).flatMap((entity) =>
    metadataOf(entity, 'IDPSSODescriptor').map((provider) => ({ entity, provider })),
  );
  if (found === undefined) return {};
  const { entity, provider } = found;
  const [post, logout] = ['SingleSignOnService', 'SingleLogoutService'].map((endpoint) =>
    locationOf(provider, endpoint, 'HTTP-POST'),
  );
  const unnamed = certificatesOf(provider, undefined);
  const signing = [...certificatesOf(provider, 'signing'), ...unnamed];
  const [encryption] = [...certificatesOf(provider, 'encryption'), ...unnamed];
  const until = Date.parse(entity.attributes.get('validUntil') ?? '');
  return defined({
    idpEntityId: entity.attributes.get('entityID'),
    singleSignOnServiceUrl: post ?? locationOf(provider, 'SingleSignOnService', 'HTTP-Redirect'),
    singleLogoutServiceUrl: logout ?? locationOf(provider, 'SingleLogoutService', 'HTTP-Redirect'),
    artifactResolutionServiceUrl: locationOf(provider, 'ArtifactResolutionService', 'SOAP'),
    postBindingAuthnRequest: String(post !== undefined),
    postBindingResponse: String(post !== undefined),
    postBindingLogout: String(logout !== undefined),
    artifactBindingResponse: 'false',
    wantAuthnRequestsSigned: String(provider.attributes.get('WantAuthnRequestsSigned') === 'true'),
    validateSignature: String(signing.length > 0),
    signingCertificate: signing.length > 0 ? signing.join(',') : undefined,
    encryptionPublicKey: encryption,
    nameIDPolicyFormat: metadataOf(provider, 'NameIDFormat')[0]?.text.trim(),
    addExtensionsElementWithKeyInfo: 'false',
    loginHint: 'false',
    enabledFromMetadata: String(Number.isNaN(until) || until > now),
  });
}
