import type { XmlElement } from './read-xml.js';

/** https://docs.oasis-open.org/security/saml/v2.0/saml-metadata-2.0-os.pdf */
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
export const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:';

export type Binding = 'HTTP-POST' | 'HTTP-Redirect' | 'HTTP-Artifact' | 'SOAP' | 'PAOS';

/** True for metadata that describe one entity or several. */
export function isMetadata({ namespace, name }: XmlElement): boolean {
  return namespace === METADATA && (name === 'EntityDescriptor' || name === 'EntitiesDescriptor');
}

/** The described entities, including those in nested lists. */
export function entitiesOf(root: XmlElement): XmlElement[] {
  if (root.name === 'EntityDescriptor') return [root];
  return root.children.filter(isMetadata).flatMap(entitiesOf);
}

export function metadataChildren(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.namespace === METADATA && child.name === name);
}

/** The location of the first endpoint with this name and binding. */
export function locationOf(roleDescriptor: XmlElement, endpoint: string, binding: Binding): string | undefined {
  const element = metadataChildren(roleDescriptor, endpoint).find(
    ({ attributes }) => attributes.get('Binding') === BINDING + binding,
  );
  return element?.attributes.get('Location');
}

/**
 * Returns the certificates of a role, in base64 with their original line breaks.
 * @param use undefined: those without a `use`
 */
export function certificatesOf(roleDescriptor: XmlElement, use: 'signing' | 'encryption' | undefined): string[] {
  return metadataChildren(roleDescriptor, 'KeyDescriptor')
    .filter(({ attributes }) => attributes.get('use') === use)
    .flatMap((key) => ['KeyInfo', 'X509Data', 'X509Certificate'].reduce(signatureChildren, [key]))
    .map(({ text }) => text.trim());
}

function signatureChildren(elements: readonly XmlElement[], name: string): XmlElement[] {
  return elements.flatMap(({ children }) =>
    children.filter((child) => child.namespace === SIGNATURES && child.name === name),
  );
}
