import type { KeyMaker } from '../../keys/key-material.js';
import { createCredential } from '../certificates/new-credential.js';
import { mergeTexts } from '../partial-schema.js';
import type { ClientInput } from './client-input.js';

/** Keycloak's defaults for a SAML client (SamlProtocolFactory.setupClientDefaults). */
const ATTRIBUTES = {
  'saml.allow.ecp.flow': 'false',
  'saml.authnstatement': 'true',
  'saml.client.signature': 'true',
  'saml.force.post.binding': 'true',
  'saml.server.signature': 'true',
  'saml.signature.algorithm': 'RSA_SHA256',
  saml_force_name_id_format: 'false',
  saml_name_id_format: 'username',
  saml_signature_canonicalization_method: 'http://www.w3.org/2001/10/xml-exc-c14n#',
} as const;
const CERTIFICATE = 'saml.signing.certificate';
const PRIVATE_KEY = 'saml.signing.private.key';

/** The attributes of a new SAML client. Null means absent, and an empty text removes a default. */
export function samlAttributes({ attributes }: ClientInput): Record<string, string> {
  const sentAttributes = Object.entries(attributes ?? {}).filter(([, value]) => value !== null);
  return mergeTexts(ATTRIBUTES, Object.fromEntries(sentAttributes));
}

/**
 * Adds a generated signing key to a new SAML client whose requests must be signed, unless it has a certificate.
 * @param now milliseconds since the epoch
 */
export async function withSigningKey(
  makeKey: KeyMaker,
  realm: string,
  input: ClientInput,
  now: number,
): Promise<ClientInput> {
  if (input.protocol !== 'saml' || !input.clientId) return input;
  const attributes = samlAttributes(input);
  if (attributes['saml.client.signature'] !== 'true' || attributes[CERTIFICATE]) return input;
  const { certificate, privateKey } = await createCredential(makeKey, { realm, clientId: input.clientId }, {}, now);
  return { ...input, attributes: { ...input.attributes, [CERTIFICATE]: certificate, [PRIVATE_KEY]: privateKey } };
}
