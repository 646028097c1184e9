import { constants } from 'node:crypto';

/** The parameters of a JWS algorithm (RFC 7518 §3, RFC 8037). */
export interface Algorithm {
  readonly name: string;
  readonly kty: 'RSA' | 'EC' | 'OKP' | 'oct';
  /** OpenSSL's digest name; null if the algorithm includes its own. */
  readonly hash: 'sha256' | 'sha384' | 'sha512' | null;
  /** JWK `crv`. */
  readonly curve?: string;
  /** Options for `crypto.sign` and `crypto.verify`, in addition to the key. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Exact signature length in bytes, if the algorithm fixes it. */
  readonly signatureBytes?: number;
}

const rsa = (name: string, hash: Algorithm['hash']): Algorithm => ({ name, kty: 'RSA', hash, options: {} });
const pss = (name: string, hash: Algorithm['hash']): Algorithm => ({
  name,
  kty: 'RSA',
  hash,
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
});
const ec = (name: string, hash: Algorithm['hash'], curve: string, signatureBytes: number): Algorithm => ({
  name,
  kty: 'EC',
  hash,
  curve,
  options: { dsaEncoding: 'ieee-p1363' },
  signatureBytes,
});
const hmac = (name: string, hash: Algorithm['hash'], signatureBytes: number): Algorithm => ({
  name,
  kty: 'oct',
  hash,
  options: {},
  signatureBytes,
});

const SIGNATURE_ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map(
  [
    rsa('RS256', 'sha256'),
    rsa('RS384', 'sha384'),
    rsa('RS512', 'sha512'),
    pss('PS256', 'sha256'),
    pss('PS384', 'sha384'),
    pss('PS512', 'sha512'),
    ec('ES256', 'sha256', 'P-256', 64),
    ec('ES384', 'sha384', 'P-384', 96),
    ec('ES512', 'sha512', 'P-521', 132),
    { name: 'EdDSA', kty: 'OKP', hash: null, curve: 'Ed25519', options: {}, signatureBytes: 64 } satisfies Algorithm,
    hmac('HS256', 'sha256', 32),
    hmac('HS384', 'sha384', 48),
    hmac('HS512', 'sha512', 64),
  ].map((algorithm) => [algorithm.name, algorithm]),
);

/** The signature algorithm with exactly this name; undefined if there is none. `none` is not supported. */
export function signatureAlgorithm(name: string): Algorithm | undefined {
  return SIGNATURE_ALGORITHMS.get(name);
}

/** The algorithms whose keys are published in the JWKS. Discovery lists them as supported. */
export const ASYMMETRIC_ALGORITHMS: readonly string[] = [...SIGNATURE_ALGORITHMS.values()]
  .filter(({ kty }) => kty !== 'oct')
  .map(({ name }) => name);

/** The HMAC algorithms, for internal tokens and `client_secret_jwt`. */
export const SYMMETRIC_ALGORITHMS: readonly string[] = [...SIGNATURE_ALGORITHMS.values()]
  .filter(({ kty }) => kty === 'oct')
  .map(({ name }) => name);

/**
 * The algorithm of tokens that only the realm itself verifies: refresh tokens, action tokens, registration tokens and
 * the session cookie. Its secret is never in the JWKS; `typ` distinguishes the types of tokens.
 */
export const INTERNAL_ALGORITHM = 'HS512';

/** Key agreement by elliptic curves (RFC 7518 §4.6). */
export const ECDH_ALGORITHMS: readonly string[] = ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'];

/**
 * Key-management algorithms (RFC 7518 §4.2, §4.3, §4.6) that a realm may have keys for. These keys are published, but
 * never used to sign.
 */
export const ENCRYPTION_ALGORITHMS: readonly string[] = ['RSA1_5', 'RSA-OAEP', 'RSA-OAEP-256', ...ECDH_ALGORITHMS];

/** Keycloak's name for the secret that encrypts data that only the realm decrypts. */
export const AES = 'AES';

/** The use of a key of this algorithm; undefined if a realm cannot have keys for it. */
export function useOf(algorithm: string): 'sig' | 'enc' | undefined {
  if (signatureAlgorithm(algorithm) !== undefined) return 'sig';
  return algorithm === AES || ENCRYPTION_ALGORITHMS.includes(algorithm) ? 'enc' : undefined;
}

/**
 * The key type of this algorithm; for a secret, with the minimum length for its digest or cipher.
 * @param curve of an ECDH key, which may be any; default P-256
 */
export function keyTypeOf(algorithm: string, curve?: string): Pick<Algorithm, 'kty' | 'curve' | 'signatureBytes'> {
  if (algorithm === AES) return { kty: 'oct', signatureBytes: 32 };
  if (ECDH_ALGORITHMS.includes(algorithm)) return { kty: 'EC', curve: curve ?? 'P-256' };
  return signatureAlgorithm(algorithm) ?? { kty: 'RSA' };
}
