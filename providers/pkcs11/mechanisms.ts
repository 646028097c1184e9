import { createHash } from 'node:crypto';
import { mechanism, type Structure, ulongs } from './library.js';

type Hash = 'sha256' | 'sha384' | 'sha512';

/** CKM_SHA*, CKG_MGF1_SHA*, and the length of the digest. */
const HASHES: Readonly<Record<Hash, { readonly mechanism: number; readonly mgf: number; readonly bytes: number }>> = {
  sha256: { mechanism: 0x250, mgf: 2, bytes: 32 },
  sha384: { mechanism: 0x260, mgf: 3, bytes: 48 },
  sha512: { mechanism: 0x270, mgf: 4, bytes: 64 },
};

/** The mechanism with which a token signs, and the data that it signs. */
export interface Signing {
  readonly mechanism: Structure;
  readonly data: Buffer;
}

const pkcs1 = (ckm: number) => (): Structure => mechanism(ckm);
const pss = (ckm: number, hash: Hash) => (): Structure => {
  const { mechanism: hashMechanism, mgf, bytes } = HASHES[hash];
  return mechanism(ckm, ulongs(hashMechanism, mgf, bytes));
};
/** CKM_ECDSA signs a digest, which the plugin computes, because not every token can. */
const CKM_ECDSA = 0x1041;
const CKM_EDDSA = 0x1057;

/** The JWS algorithms (RFC 7518 §3.1), each with the token's mechanism and the digest that this plugin computes. */
const ALGORITHMS: Readonly<Record<string, { readonly createMechanism: () => Structure; readonly digest?: Hash }>> = {
  RS256: { createMechanism: pkcs1(0x40) },
  RS384: { createMechanism: pkcs1(0x41) },
  RS512: { createMechanism: pkcs1(0x42) },
  PS256: { createMechanism: pss(0x43, 'sha256') },
  PS384: { createMechanism: pss(0x44, 'sha384') },
  PS512: { createMechanism: pss(0x45, 'sha512') },
  ES256: { createMechanism: () => mechanism(CKM_ECDSA), digest: 'sha256' },
  ES384: { createMechanism: () => mechanism(CKM_ECDSA), digest: 'sha384' },
  ES512: { createMechanism: () => mechanism(CKM_ECDSA), digest: 'sha512' },
  EdDSA: { createMechanism: () => mechanism(CKM_EDDSA) },
};

/** The algorithms of RSA keys. */
export const RSA_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;

/** @throws Error for an unsupported algorithm */
export function signingOf(algorithm: string, input: string): Signing {
  const found = ALGORITHMS[algorithm];
  if (found === undefined) throw new Error(`the algorithm ${algorithm} is not supported`);
  const data = Buffer.from(input, 'latin1');
  return {
    mechanism: found.createMechanism(),
    data: found.digest === undefined ? data : createHash(found.digest).update(data).digest(),
  };
}
