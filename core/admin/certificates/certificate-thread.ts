import { pbkdf2Sync } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import forge from 'node-forge';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import {
  type CertificateJob,
  type CertificateJobReply,
  type CertificateJobResults,
  type KeystoreEntry,
  MAX_ROUNDS,
} from './certificate-jobs.js';

/** Derivation rounds for the encryption of new keystores. */
const ROUNDS = 10_000;

const { asn1, pki, pkcs12, util } = forge;

function toBytes(der: forge.asn1.Asn1): Uint8Array {
  return Buffer.from(asn1.toDer(der).getBytes(), 'binary');
}

function createCertificate(job: Extract<CertificateJob, { kind: 'certificate' }>): Uint8Array {
  const privateKey = pki.privateKeyFromPem(job.privateKey);
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.rsa.setPublicKey(privateKey.n, privateKey.e);
  // Positive, and not empty (RFC 5280 §4.1.2.2).
  certificate.serialNumber = `01${util.bytesToHex(forge.random.getBytesSync(15))}`;
  certificate.validity.notBefore = new Date(job.notBefore);
  certificate.validity.notAfter = new Date(job.notAfter);
  const name = [{ name: 'commonName', value: job.commonName, valueTagClass: asn1.Type.UTF8 as never }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(privateKey, forge.md.sha256.create());
  return toBytes(pki.certificateToAsn1(certificate));
}

function readKeystore({ keystore, password }: Extract<CertificateJob, { kind: 'read' }>): KeystoreEntry[] {
  limitRounds();
  const der = asn1.fromDer(util.createBuffer(Buffer.from(keystore).toString('binary')));
  return pkcs12.pkcs12FromAsn1(der, false, password).safeContents.flatMap(({ safeBags }) => safeBags.map(toEntry));
}

class TooManyRounds extends Error {}

type Derive = (password: string, salt: string, ...others: unknown[]) => unknown;
/** The key derivation functions of node-forge, which its type declarations lack. */
interface Derivations {
  readonly pkcs5: { pbkdf2: Derive };
  readonly pki: { readonly pbe: { generatePkcs12Key: Derive } };
  readonly pkcs12: { generateKey: Derive };
}

/**
 * Limits the derivation rounds of a keystore. The keystore determines their number, partly in encrypted data, so they
 * are counted when they are requested.
 */
function limitRounds(): void {
  // node-forge derives the keys of a PKCS#12 file by these functions.
  const derivations = forge as unknown as Derivations;
  let remainingRounds = MAX_ROUNDS;
  const withLimit =
    (derive: Derive, roundsIndex: number): Derive =>
    (password, salt, ...others) => {
      remainingRounds -= Math.max(1, Number(others[roundsIndex]));
      // NaN uses up the whole budget.
      if (!(remainingRounds >= 0)) throw new TooManyRounds();
      return derive(password, salt, ...others);
    };
  const { pbe } = derivations.pki;
  derivations.pkcs5.pbkdf2 = withLimit(pbkdf2, 0);
  derivations.pkcs12.generateKey = withLimit(derivations.pkcs12.generateKey, 1);
  pbe.generatePkcs12Key = withLimit(pbe.generatePkcs12Key, 1);
}

/** Replaces node-forge's own function, which takes twenty times as long. */
function pbkdf2(password: string, salt: string, ...others: unknown[]): string {
  const [rounds, length, md] = others as [number, number, { readonly algorithm: string } | undefined];
  const secret = Buffer.from(password, 'binary');
  const saltBytes = Buffer.from(salt, 'binary');
  return pbkdf2Sync(secret, saltBytes, rounds, length, md?.algorithm ?? 'sha1').toString('binary');
}

function toEntry(bag: forge.pkcs12.Bag): KeystoreEntry {
  const { friendlyName, localKeyId } = bag.attributes as { friendlyName?: string[]; localKeyId?: string[] };
  const isCertificate = bag.type === pki.oids.certBag;
  // The library supports only RSA. For other keys and certificates it returns the parsed ASN.1.
  const rsa = bag.key ? pki.privateKeyToAsn1(bag.key) : bag.cert ? pki.certificateToAsn1(bag.cert) : undefined;
  const content = rsa ?? (bag.asn1 as forge.asn1.Asn1 | undefined);
  return defined({
    alias: friendlyName?.[0],
    localKeyId: localKeyId?.[0] === undefined ? undefined : util.bytesToHex(localKeyId[0]),
    [isCertificate ? 'certificate' : 'privateKey']: content && toBytes(content),
  });
}

function writeKeystore(job: Extract<CertificateJob, { kind: 'write' }>): Uint8Array {
  const key = job.privateKey === undefined ? null : pki.privateKeyFromPem(job.privateKey);
  const keystore = pkcs12.toPkcs12Asn1(
    key as forge.pki.rsa.PrivateKey,
    job.certificates.map((pem) => pki.certificateFromPem(pem)),
    job.password,
    {
      algorithm: 'aes256',
      count: ROUNDS,
      friendlyName: job.alias,
      prfAlgorithm: 'sha256',
    } as Parameters<typeof pkcs12.toPkcs12Asn1>[3],
  );
  return toBytes(keystore);
}

function runJob(job: CertificateJob): CertificateJobReply {
  try {
    const result: CertificateJobResults[keyof CertificateJobResults] =
      job.kind === 'certificate'
        ? createCertificate(job)
        : job.kind === 'read'
          ? readKeystore(job)
          : writeKeystore(job);
    return { done: result };
  } catch (error) {
    if (job.kind !== 'read') throw error;
    if (error instanceof TooManyRounds) return { refused: 'too expensive' };
    return { refused: /password/i.test(messageOf(error)) ? 'wrong password' : 'no keystore' };
  }
}

parentPort?.postMessage(runJob(workerData as CertificateJob));
