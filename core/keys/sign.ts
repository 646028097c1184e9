import { createHmac, type KeyObject, sign } from 'node:crypto';
import { exactJson } from '../model/exact-json.js';
import type { Algorithm } from './algorithms.js';
import type { Validity } from './certificate-validity.js';
import { RsaSigner } from './rsa-signer.js';

/** There is one signer per process, as there is one thread pool. */
const RSA_SIGNER = new RsaSigner();

/** A signing key, bound to one algorithm. */
export class SigningKey {
  readonly kid: string;
  readonly algorithm: Algorithm;
  readonly key: KeyObject;
  /** The argument of `crypto.sign`, created once. */
  readonly signInput: { readonly key: KeyObject };
  /** Signs with a key that a plugin holds; undefined if the host holds the key. */
  readonly signRemotely: ((input: string) => Promise<string>) | undefined;
  /** The validity of its certificate; undefined without one. */
  readonly validity: Validity | undefined;
  readonly #headers = new Map<string, string>();

  /**
   * @param signRemotely signs an input and returns base64url, for a key that a plugin holds; `key` is then its public
   * half
   */
  constructor(
    kid: string,
    algorithm: Algorithm,
    key: KeyObject,
    signRemotely?: (input: string) => Promise<string>,
    validity?: Validity,
  ) {
    this.validity = validity;
    this.kid = kid;
    this.algorithm = algorithm;
    this.key = key;
    this.signInput = { key, ...algorithm.options };
    this.signRemotely = signRemotely;
  }

  /**
   * The header `{"alg","typ","kid"}` as base64url, followed by a dot. `typ` must be a constant of the host, never input
   * of a caller.
   */
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
 * Signs a JWT in the compact form (RFC 7515 §7.1) with the header `{"alg","typ","kid"}`. It returns a string if the
 * signature is synchronous: HMAC, ECDSA, EdDSA, and RSA without load. Otherwise it returns a promise. That rejects if a
 * plugin's key fails: HostError `temporarily_unavailable` (503).
 * @param options.typ the header's `typ`, such as `at+jwt` (RFC 9068) or `logout+jwt`; default `JWT`
 */
export function signJwt(
  key: SigningKey,
  payload: object,
  options: { readonly typ?: string } = {},
): string | Promise<string> {
  const { algorithm } = key;
  const input = key.header(options.typ ?? 'JWT') + Buffer.from(exactJson(payload)).toString('base64url');
  if (algorithm.kty === 'oct') {
    return `${input}.${createHmac(algorithm.hash ?? 'sha512', key.key)
      .update(input)
      .digest('base64url')}`;
  }
  if (key.signRemotely !== undefined) return key.signRemotely(input).then((signature) => `${input}.${signature}`);
  const data = Buffer.from(input, 'latin1');
  if (algorithm.kty !== 'RSA') return toCompact(input, sign(algorithm.hash, data, key.signInput));
  const signature = RSA_SIGNER.sign(algorithm.hash, data, key.signInput);
  return signature instanceof Promise
    ? signature.then((bytes) => toCompact(input, bytes))
    : toCompact(input, signature);
}

function toCompact(input: string, signature: Buffer): string {
  return `${input}.${signature.toString('base64url')}`;
}
