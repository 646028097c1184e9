import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto';
import { findTooDeep, JSON_DEPTH_LIMIT } from '../../config/json/json-depth.js';
import type { MultipartForm } from '../../http/multipart.js';
import { decodeDer, readPublicKey } from '../../model/armour.js';
import { codeOf } from '../../model/thrown.js';
import { AdminError, badRequest, badRequestError } from '../admin.js';
import type { KeystoreEntry } from './certificate-jobs.js';
import { runCertificateJob } from './certificate-worker.js';
import { type ClientCredential, JWT_CREDENTIAL } from './credential-attributes.js';
import { base64OfPrivateKey, requireStrongKey } from './new-credential.js';

type Jwk = JsonWebKey & Record<string, unknown>;
type CredentialReader = (
  file: Buffer,
  form: MultipartForm,
  name: string,
  realm: string,
) => ClientCredential | Promise<ClientCredential>;

/** Upload formats, by the names that Keycloak's admin console uses. */
const FORMATS: Readonly<Record<string, CredentialReader>> = {
  'JSON Web Key Set': readKeySet,
  'Certificate PEM': readCertificate,
  'Public Key PEM': readPublicKeyFile,
  PKCS12: readKeystore,
  // Since Java 9, a file called JKS is usually PKCS12. Keycloak accepts either format under both names.
  JKS: readKeystore,
};
/** Magic numbers of Java's own formats, JKS and JCEKS. */
const JAVA_FORMATS: readonly number[] = [0xfeedfeed, 0xcececece];

/**
 * Reads the credential of an uploaded form with the fields `keystoreFormat` and `file`, and for a keystore also
 * `storePassword` and `keyAlias`.
 * @param realm the realm of the client
 * @param name the attribute prefix under which the credential will be stored
 * @throws AdminError 400, with Keycloak's text if it has one; 406 for a format that Keyhost does not support
 */
export async function readUploadedCredential(
  realm: string,
  form: MultipartForm,
  name: string,
): Promise<ClientCredential> {
  const format = textOf(form, 'keystoreFormat');
  if (format === undefined) throw badRequestError('keystoreFormat cannot be null');
  const file = form.get('file');
  if (file === undefined || file.length === 0) throw badRequestError('file cannot be empty');
  const read = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (read === undefined) throw unsupportedFormatError(Object.keys(FORMATS).filter((one) => one !== 'JKS'));
  return read(Buffer.from(file), form, name, realm);
}

const CONVERT = 'Convert Java keystores (JKS, JCEKS, BCFKS) with "keytool -importkeystore -deststoretype PKCS12"';

/** Creates Keycloak's error for an unsupported format. Keyhost supports none of Java's own formats. */
export function unsupportedFormatError(formats: readonly string[]): AdminError {
  return new AdminError(406, {
    error: `Not supported keystore format. Supported keystore formats: [${formats.join(', ')}]`,
    error_description: CONVERT,
  });
}

function readKeySet(file: Buffer, _: MultipartForm, name: string): ClientCredential {
  if (name !== JWT_CREDENTIAL) throw badRequest(`keystoreFormat: only ${JWT_CREDENTIAL} can have a key set`);
  const jwks = file.toString();
  if (findTooDeep(jwks) !== undefined)
    throw certificateNotFoundError(`it has more than ${JSON_DEPTH_LIMIT} objects within each other`);
  const keys = parseKeys(jwks);
  if (keys.some((key) => key.kty === 'oct' || 'd' in key || 'k' in key)) {
    throw certificateNotFoundError('the key set contains private keys: send only the public keys');
  }
  const signingKey = findSigningKey(keys);
  if (signingKey === undefined) throw certificateNotFoundError('the key set has no public key for signatures');
  requireStrongKey(signingKey.key);
  return { ...toCredential(signingKey), jwks };
}

/**
 * The representation of a stored key set, with its key for verifying signatures. The set may be invalid, since realm
 * files can contain any text.
 */
export function keySetRepresentation(jwks: string): ClientCredential {
  try {
    const signingKey = findSigningKey(parseKeys(jwks));
    return { ...(signingKey === undefined ? {} : toCredential(signingKey)), jwks };
  } catch (error) {
    if (codeOf(error) !== 'admin_refused') throw error;
    return { jwks };
  }
}

interface SigningKey {
  readonly key: KeyObject;
  readonly kid: unknown;
}

function findSigningKey(keys: readonly Jwk[]): SigningKey | undefined {
  for (const jwk of keys) {
    const key = jwk.use === undefined || jwk.use === 'sig' ? publicKeyOf(jwk) : undefined;
    if (key !== undefined) return { key, kid: jwk.kid };
  }
  return undefined;
}

function toCredential({ key, kid }: SigningKey): ClientCredential {
  const publicKey = key.export({ format: 'der', type: 'spki' }).toString('base64');
  return { publicKey, ...(typeof kid === 'string' ? { kid } : {}) };
}

/** Parses a JSON Web Key Set. @throws AdminError 400 */
function parseKeys(text: string): readonly Jwk[] {
  let keys: unknown;
  try {
    keys = (JSON.parse(text) as { keys?: unknown } | null)?.keys;
  } catch {
    // The parser's message contains parts of the file, so a different message is thrown below.
  }
  const isObject = (key: unknown) => typeof key === 'object' && key !== null && !Array.isArray(key);
  if (Array.isArray(keys) && keys.every(isObject)) return keys;
  throw certificateNotFoundError('the file is not a JSON Web Key Set, such as {"keys": […]}');
}

function publicKeyOf(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    // A set may contain unsupported keys in addition to a usable one.
    return undefined;
  }
}

function readCertificate(file: Buffer): ClientCredential {
  try {
    const certificate = new X509Certificate(decodeDer(file.toString()));
    requireStrongKey(certificate.publicKey);
    return { certificate: certificate.raw.toString('base64') };
  } catch (error) {
    throw orBadRequest(error, 'file: must be one certificate, as PEM or base64');
  }
}

function readPublicKeyFile(file: Buffer): ClientCredential {
  try {
    requireStrongKey(readPublicKey(file.toString()));
    return { publicKey: file.toString() };
  } catch (error) {
    throw orBadRequest(error, 'file: must be one public key, as PEM ("BEGIN PUBLIC KEY") or base64');
  }
}

async function readKeystore(file: Buffer, form: MultipartForm, _: string, realm: string): Promise<ClientCredential> {
  if (file.length >= 4 && JAVA_FORMATS.includes(file.readUInt32BE())) {
    const reason = `The file is a Java keystore, which is not read here. ${CONVERT}`;
    throw new AdminError(400, { error: 'error loading keystore', error_description: reason });
  }
  const entries = await runCertificateJob<'read'>(realm, {
    kind: 'read',
    keystore: file,
    password: textOf(form, 'storePassword') ?? '',
  });
  const { key, certificate } = selectEntries(entries, textOf(form, 'keyAlias'));
  try {
    const x509 = certificate?.certificate && new X509Certificate(certificate.certificate);
    const privateKey = key?.privateKey && readPrivateKey(Buffer.from(key.privateKey));
    if (privateKey) requireStrongKey(privateKey);
    if (x509) requireStrongKey(x509.publicKey);
    if (x509 && privateKey && !x509.checkPrivateKey(privateKey))
      throw badRequest('the certificate does not match the key');
    return {
      ...(privateKey ? { privateKey: base64OfPrivateKey(privateKey) } : {}),
      // A key without a certificate is also useful: its public key is derived from it.
      ...(x509 ? { certificate: x509.raw.toString('base64') } : {}),
      ...(privateKey && !x509
        ? { publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64') }
        : {}),
    };
  } catch (error) {
    throw orBadRequest(error, 'the key or the certificate in the keystore cannot be read');
  }
}

/**
 * Selects the key and the certificate with this alias. Without an alias, there must be only one key or certificate.
 * @throws AdminError 400
 */
function selectEntries(
  entries: readonly KeystoreEntry[],
  alias: string | undefined,
): { readonly key?: KeystoreEntry | undefined; readonly certificate?: KeystoreEntry | undefined } {
  const keys = entries.filter(({ privateKey }) => privateKey !== undefined);
  // As in Java, aliases are case-insensitive.
  const hasAlias = (entry: KeystoreEntry) => entry.alias?.toLowerCase() === alias?.toLowerCase();
  const key = alias === undefined ? onlyItem(keys) : keys.find(hasAlias);
  const certificates = entries.filter(({ certificate }) => certificate !== undefined);
  const keyCertificate = key?.localKeyId && certificates.find(({ localKeyId }) => localKeyId === key.localKeyId);
  const certificate = keyCertificate || (alias === undefined ? onlyItem(certificates) : certificates.find(hasAlias));
  if (key === undefined && certificate === undefined) {
    throw certificateNotFoundError(
      alias === undefined ? 'keyAlias is required: the keystore contains several keys' : undefined,
    );
  }
  return { key, certificate };
}

function onlyItem<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

/** Reads a private key as PKCS#8, or as PKCS#1, in which node-forge writes RSA keys. */
function readPrivateKey(der: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs1' });
  } catch {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  }
}

/** Creates Keycloak's error for a file without the expected content. */
function certificateNotFoundError(
  description = 'Certificate or key with given alias not found in the keystore',
): AdminError {
  return new AdminError(400, { error: 'certificate-not-found', error_description: description });
}

/** Replaces errors of OpenSSL, whose messages do not help the caller. */
function orBadRequest(error: unknown, message: string): unknown {
  return codeOf(error) === 'admin_refused' ? error : badRequest(message);
}

function textOf(form: MultipartForm, name: string): string | undefined {
  const value = form.get(name)?.toString();
  return value === '' ? undefined : value;
}
