/**
 * Maximum number of derivation rounds for all keys of one keystore. Java and OpenSSL use 2,000 to 100,000 for each key.
 */
export const MAX_ROUNDS = 1_000_000;

/** A job for the thread that reads and writes certificates and keystores. */
export type CertificateJob =
  | {
      readonly kind: 'certificate';
      /** PEM of an RSA key, PKCS#1 or PKCS#8. */
      readonly privateKey: string;
      readonly commonName: string;
      /** Milliseconds since the epoch. */
      readonly notBefore: number;
      readonly notAfter: number;
    }
  | { readonly kind: 'read'; readonly keystore: Uint8Array; readonly password: string }
  | {
      readonly kind: 'write';
      readonly alias: string;
      readonly password: string;
      /** PEM of an RSA key. */
      readonly privateKey?: string;
      /** PEM; the first belongs to the key. */
      readonly certificates: readonly string[];
    };

/** One key or certificate of a keystore. */
export interface KeystoreEntry {
  readonly alias?: string;
  /** Links a key to its certificate: both have the same value. */
  readonly localKeyId?: string;
  /** DER: a PKCS#8 PrivateKeyInfo, or for RSA PKCS#1. */
  readonly privateKey?: Uint8Array;
  /** DER. */
  readonly certificate?: Uint8Array;
}

export interface CertificateJobResults {
  /** DER of the certificate. */
  readonly certificate: Uint8Array;
  readonly read: readonly KeystoreEntry[];
  /** DER of the keystore. */
  readonly write: Uint8Array;
}

/** The thread's reply: a result, or a reason for failure. The reason must not quote anything from a keystore. */
export type CertificateJobReply =
  | { readonly done: CertificateJobResults[keyof CertificateJobResults] }
  | { readonly refused: 'wrong password' | 'no keystore' | 'too dear' };
