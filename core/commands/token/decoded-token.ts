import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';

export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What a JWT says, without its signature; undefined for an opaque token. */
export function decoded(token: string): DecodedToken | undefined {
  const [header = '', claims = '', signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    return { header: part(header), claims: part(claims) };
  } catch {
    return undefined;
  }
}

function part(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

/** Whether a key of the realm has signed it; undefined where its keys are secret, as those of refresh tokens. */
export async function isSigned(token: string, keys: JSONWebKeySet): Promise<boolean | undefined> {
  if (/^HS|^none$/.test(String(decoded(token)?.header.alg))) return undefined;
  return compactVerify(token, createLocalJWKSet(keys)).then(
    () => true,
    () => false,
  );
}
