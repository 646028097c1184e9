import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { Algorithm } from './algorithms.js';

/** A key that signs, bound to one algorithm. */
export class SigningKey {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
  /** The argument of `crypto.sign`, made once. */
  readonly signInput: object;
  readonly #headers = new Map<string, string>();

  constructor(kid: string, algorithm: Algorithm, key: KeyObject) {
    this.kid = kid;
    this.algorithm = algorithm;
    this.key = key;
    this.signInput = { key, ...algorithm.options };
  }

  /** `{"alg","typ","kid"}`, base64url, followed by the dot. `typ` is the host's own word, never a caller's. */
  header(typ: string): string {
    let header = this.#headers.get(typ);
    if (header === undefined) {
      const json = JSON.stringify({ alg: this.algorithm.name, typ, kid: this.kid });
      header = `${Buffer.from(json).toString('base64url')}.`;
      this.#headers.set(typ, header);
    }
    return header;
  }
}

/**
 * Signs a JWT in the compact form (RFC 7515 §7.1) with the header `{"alg","typ","kid"}`.
 * HMAC, ECDSA and EdDSA are signed in place and return a string; RSA is signed on the thread pool and returns a promise.
 * @param options.typ header `typ`, such as `at+jwt` (RFC 9068) or `logout+jwt`; `JWT` without it
 */
export function signJwt(
  key: SigningKey,
  payload: object,
  options: { readonly typ?: string } = {},
): string | Promise<string> {
  const { algorithm } = key;
  const input = key.header(options.typ ?? 'JWT') + Buffer.from(JSON.stringify(payload)).toString('base64url');
  if (algorithm.kty === 'oct') {
    return `${input}.${createHmac(algorithm.hash ?? 'sha512', key.key)
      .update(input)
      .digest('base64url')}`;
  }
  const data = Buffer.from(input, 'latin1');
  // The declared type of the key argument knows no KeyObject together with options as one prepared object.
  const signInput = key.signInput as Parameters<typeof sign>[2];
  if (algorithm.kty !== 'RSA') return `${input}.${sign(algorithm.hash, data, signInput).toString('base64url')}`;
  return new Promise((resolve, reject) => {
    sign(algorithm.hash, data, signInput, (error, signature) => {
      if (error === null) resolve(`${input}.${signature.toString('base64url')}`);
      else reject(error);
    });
  });
}
