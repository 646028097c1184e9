import type { ClientRepresentation } from '../../model/representation.js';

/**
 * Keycloak's CertificateRepresentation.
 *
 * - `privateKey` is PKCS#1 or SEC1 in base64.
 * - `certificate` is DER in base64.
 * - `publicKey` is as uploaded, or a SubjectPublicKeyInfo in base64.
 * - `jwks` is a JSON Web Key Set as text.
 */
export interface ClientCredential {
  readonly privateKey?: string;
  readonly publicKey?: string;
  readonly certificate?: string;
  readonly kid?: string;
  readonly jwks?: string;
}

/** The attribute prefix of the key that a client authenticates with. Only this credential can be a key set. */
export const JWT_CREDENTIAL = 'jwt.credential';

const ATTRIBUTE_SUFFIXES = {
  privateKey: 'private.key',
  publicKey: 'public.key',
  certificate: 'certificate',
  kid: 'kid',
} as const;
const MEMBERS = Object.keys(ATTRIBUTE_SUFFIXES) as (keyof typeof ATTRIBUTE_SUFFIXES)[];

/** Reads the attributes with a prefix such as `jwt.credential`. Absent or empty attributes are left out. */
export function credentialOf({ attributes = {} }: ClientRepresentation, name: string): ClientCredential {
  return Object.fromEntries(
    MEMBERS.flatMap((member) => {
      const value = attributes[`${name}.${ATTRIBUTE_SUFFIXES[member]}`];
      return value ? [[member, value]] : [];
    }),
  );
}

/** The key set that a client authenticates with; undefined if it has none, or publishes it at a URL. */
export function keySetOf({ attributes = {} }: ClientRepresentation, name: string): string | undefined {
  return name === JWT_CREDENTIAL && attributes['use.jwks.string'] === 'true' ? attributes['jwks.string'] : undefined;
}

/** Replaces the stored credential. As in Keycloak, `use.jwks.url` is left unchanged. */
export function putCredential(client: ClientRepresentation, name: string, credential: ClientCredential): void {
  const attributes = new Map(Object.entries(client.attributes ?? {}));
  for (const member of MEMBERS) {
    const key = `${name}.${ATTRIBUTE_SUFFIXES[member]}`;
    const value = credential.jwks === undefined ? credential[member] : undefined;
    if (value === undefined) attributes.delete(key);
    else attributes.set(key, value);
  }
  if (name === JWT_CREDENTIAL) {
    attributes.delete('use.jwks.string');
    attributes.delete('jwks.string');
    if (credential.jwks !== undefined) {
      attributes.set('use.jwks.string', 'true');
      attributes.set('jwks.string', credential.jwks);
    }
  }
  client.attributes = Object.fromEntries(attributes);
}
