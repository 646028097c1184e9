import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { AdminError, badRequest } from '../admin.js';
import { runCertificateJob } from './certificate-worker.js';
import type { ClientCredential } from './credential-attributes.js';
import { unsupportedFormatError } from './uploaded-credential.js';

/** Keycloak's KeyStoreConfig. Null means absent. */
export interface KeystoreConfig {
  readonly format?: string | null;
  readonly keyAlias?: string | null;
  readonly keyPassword?: string | null;
  readonly storePassword?: string | null;
  readonly realmCertificate?: boolean | null;
  readonly keySize?: number | null;
  readonly validity?: number | null;
}

const TEXT = { type: ['string', 'null'], maxLength: 1000 } as const;

export const KEYSTORE_SCHEMA = {
  type: 'object',
  properties: {
    format: TEXT,
    keyAlias: TEXT,
    keyPassword: TEXT,
    storePassword: TEXT,
    realmCertificate: { type: ['boolean', 'null'] },
    realmAlias: TEXT,
    keySize: { type: ['integer', 'null'] },
    validity: { type: ['integer', 'null'] },
  },
};

/**
 * Checks the passwords and the format. Like Keycloak, it requires a key password, although PKCS12 uses the store's.
 * @param passwords the required passwords, in the order in which Keycloak reports them
 * @throws AdminError 400, 406
 */
export function requireKeystoreConfig(
  config: KeystoreConfig,
  passwords: readonly ('key' | 'store')[],
  operation: string,
): void {
  for (const name of passwords) {
    if (config[`${name}Password`]) continue;
    throw new AdminError(400, {
      error: 'password-missing',
      error_description: `Need to specify a ${name} password for jks ${operation}`,
    });
  }
  // Keycloak's default is JKS.
  if (config.format !== 'PKCS12') throw unsupportedFormatError(['PKCS12']);
}

/**
 * Writes a keystore with a certificate, and its private key if there is one.
 * @param realm the realm of the client
 * @param realmCertificate DER in base64
 * @returns DER of PKCS12
 * @throws AdminError 400 if the credential cannot be written to a keystore
 */
export async function writeKeystore(
  realm: string,
  { privateKey, certificate = '' }: ClientCredential,
  config: KeystoreConfig,
  alias: string,
  realmCertificate: string | undefined,
): Promise<Buffer> {
  const clientCertificate = readCertificate(certificate);
  if (clientCertificate.publicKey.asymmetricKeyType !== 'rsa') throw badRequest('Keystores are written for RSA keys');
  const key = privateKey === undefined ? undefined : readPrivateKey(privateKey);
  if (key !== undefined && !clientCertificate.checkPrivateKey(key))
    throw badRequest('the certificate does not match the key');
  const chain = realmCertificate === undefined ? [] : [readCertificate(realmCertificate).toString()];
  const keystore = await runCertificateJob<'write'>(realm, {
    kind: 'write',
    alias,
    password: config.storePassword ?? '',
    certificates: [clientCertificate.toString(), ...chain],
    privateKey: key?.export({ type: 'pkcs1', format: 'pem' }).toString(),
  });
  return Buffer.from(keystore);
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    throw badRequest('the certificate of the client cannot be read');
  }
}

/** Reads the stored private key. It may be any text, since attributes can come from a realm file. */
function readPrivateKey(text: string): KeyObject {
  const key = Buffer.from(text, 'base64');
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // Try the next encoding; if none fits, the error below is thrown.
    }
  }
  throw badRequest('the private key of the client cannot be read');
}
