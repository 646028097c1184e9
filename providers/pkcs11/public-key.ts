import { createHash, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { JsonObject } from '@keyhost/spi';

/** The supported curves, by the hexadecimal DER of CKA_EC_PARAMS. `bytes` is the length of a coordinate. */
const CURVES: Readonly<Record<string, { readonly algorithm: string; readonly crv: string; readonly bytes: number }>> = {
  '06082a8648ce3d030107': { algorithm: 'ES256', crv: 'P-256', bytes: 32 },
  '06052b81040022': { algorithm: 'ES384', crv: 'P-384', bytes: 48 },
  '06052b81040023': { algorithm: 'ES512', crv: 'P-521', bytes: 66 },
  // The OID of RFC 8410, and the names of PKCS#11 2.40 and 3.0.
  '06032b6570': { algorithm: 'EdDSA', crv: 'Ed25519', bytes: 32 },
  '130c656477617264733235353139': { algorithm: 'EdDSA', crv: 'Ed25519', bytes: 32 },
  '06092b06010401da470f01': { algorithm: 'EdDSA', crv: 'Ed25519', bytes: 32 },
};

/** The public half of a key, with the algorithm of its curve. */
export interface PublicHalf {
  readonly publicKey: JsonObject;
  /** Undefined for RSA, which has several algorithms. */
  readonly algorithm?: string;
}

/** @param modulus CKA_MODULUS @param exponent CKA_PUBLIC_EXPONENT */
export function rsaKey(modulus: Buffer, exponent: Buffer): PublicHalf {
  return { publicKey: { kty: 'RSA', n: unsigned(modulus), e: unsigned(exponent) } };
}

/**
 * @param params CKA_EC_PARAMS
 * @param point CKA_EC_POINT: the point in an OCTET STRING, or, from some tokens, without it
 * @returns undefined for a curve without a JWS algorithm
 */
export function curveKey(params: Buffer, point: Buffer): PublicHalf | undefined {
  const curve = CURVES[params.toString('hex')];
  if (curve === undefined) return undefined;
  const { algorithm, crv, bytes } = curve;
  const isEdwards = algorithm === 'EdDSA';
  const raw = point.subarray(point.length - (isEdwards ? bytes : 2 * bytes));
  const x = raw.subarray(0, bytes).toString('base64url');
  const y = raw.subarray(bytes).toString('base64url');
  return { algorithm, publicKey: isEdwards ? { kty: 'OKP', crv, x } : { kty: 'EC', crv, x, y } };
}

/** The thumbprint of RFC 7638: the same key has the same ID in every token. */
export function thumbprint({ crv, e, kty, n, x, y }: JsonObject): string {
  const members = Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(members)))
    .digest('base64url');
}

/** The Base64 of the certificate if it belongs to this key. */
export function certificateOf(publicKey: JsonObject, der: Buffer): string | undefined {
  try {
    const key: KeyObject = createPublicKey({ key: publicKey as never, format: 'jwk' });
    return new X509Certificate(der).publicKey.equals(key) ? der.toString('base64') : undefined;
  } catch {
    // A token may hold objects with the key's ID that are not readable certificates.
    return undefined;
  }
}

/** Base64url without leading zeros (RFC 7518 §6.3.1). */
function unsigned(value: Buffer): string {
  let start = 0;
  while (start < value.length - 1 && value[start] === 0) start += 1;
  return value.subarray(start).toString('base64url');
}
