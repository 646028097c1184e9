import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { AdminError, badRequest } from '../admin.js';
import { certificateJob } from './certificate-worker.js';
import type { ClientCredential } from './credential-attributes.js';
import { unsupported } from './uploaded-credential.js';

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
 * Checks the passwords and the format. Like Keycloak it requires a key password, though PKCS12 uses the store's.
 * @param needed the required passwords, in the order in which Keycloak reports them
 * @throws AdminError 400, 406
 */
export function requireKeystore(config: KeystoreConfig, needed: readonly ('key' | 'store')[], what: string): void {
  for (const of of needed) {
    if (config[`${of}Password`]) continue;
    throw new AdminError(400, {
      error: 'password-missing',
      error_description: `Need to specify a ${of} password for jks ${what}`,
    });
  }
  // Keycloak's default is JKS.
  if (config.format !== 'PKCS12') throw unsupported(['PKCS12']);
}

/**
 * Creates a keystore with a certificate, and its private key if there is one.
 * @param realm the realm of the client
 * @param realmCertificate base64 of DER
 * @returns DER of PKCS12
 * @throws AdminError 400 if no keystore can be made of the credential
 */
export async function keystoreOf(
  realm: string,
  { privateKey, certificate = '' }: ClientCredential,
  config: KeystoreConfig,
  alias: string,
  realmCertificate: string | undefined,
): Promise<Buffer> {
  const own = readCertificate(certificate);
  if (own.publicKey.asymmetricKeyType !== 'rsa') throw badRequest('Keystores are written for RSA keys');
  const key = privateKey === undefined ? undefined : readPrivateKey(privateKey);
  if (key !== undefined && !own.checkPrivateKey(key)) throw badRequest('the certificate does not match the key');
  const realms = realmCertificate === undefined ? [] : [readCertificate(realmCertificate).toString()];
  const written = await certificateJob<'write'>(realm, {
    kind: 'write',
    alias,
    password: config.storePassword ?? '',
    certificates: [own.toString(), ...realms],
    privateKey: key?.export({ type: 'pkcs1', format: 'pem' }).toString(),
  });
  return Buffer.from(written);
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    throw badRequest('the certificate of the client cannot be read');
  }
}

/** Attributes can come from a realm file, so the text may be anything. */
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
