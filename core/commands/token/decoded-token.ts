import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';

export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The header and the claims of a JWT; undefined for an opaque token. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [header = '', claims = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    return { header: decodePart(header), claims: decodePart(claims) };
  } catch {
    return undefined;
  }
}

function decodePart(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

/** True if one of the keys signed the token; undefined if the key is secret, as for refresh tokens. */
export async function isSigned(token: string, keys: JSONWebKeySet): Promise<boolean | undefined> {
  if (/^HS|^none$/.test(String(decodeToken(token)?.header.alg))) return undefined;
  return compactVerify(token, createLocalJWKSet(keys)).then(
    () => true,
    () => false,
  );
}
