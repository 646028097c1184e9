/**
 * Maximum number of key derivation rounds for one keystore in total. Java and OpenSSL use 2,000 to 100,000 rounds per
 * key.
 */
export const MAX_ROUNDS = 1_000_000;

/** A job for the thread that creates certificates, and reads and writes keystores. */
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
      /** PEM. The first certificate belongs to the key. */
      readonly certificates: readonly string[];
    };

/** A key or certificate in a keystore. */
export interface KeystoreEntry {
  readonly alias?: string;
  /** Links a key to its certificate: both have the same ID. */
  readonly localKeyId?: string;
  /** DER of a PKCS#8 PrivateKeyInfo, or PKCS#1 for RSA. */
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

/** The thread's reply: the result, or the reason for a failure. The reason must not contain data of the keystore. */
export type CertificateJobReply =
  | { readonly done: CertificateJobResults[keyof CertificateJobResults] }
  | { readonly refused: 'wrong password' | 'no keystore' | 'too expensive' };
