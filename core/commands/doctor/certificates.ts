import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { HostOptions } from '../../config/options/options.js';
import { messageOf } from '../../model/thrown.js';
import { type Finding, findings } from './finding.js';

const { ok, warning, problem } = findings('TLS');
const DAY_MS = 86_400_000;
/**
 * A certificate that expires within this time gets a warning. Most certificates are renewed a month before they expire.
 */
const SOON_DAYS = 21;

/**
 * Checks that certificates are valid, match their keys, and contain the server's name, and that other users cannot read
 * the keys.
 * @param now milliseconds since the epoch
 */
export function checkCertificates(options: HostOptions, now: number): Finding[] {
  const { hostname, httpsCertificateFile, httpsCertificateKeyFile, grpcCertificateFile, grpcCertificateKeyFile } =
    options;
  const name = hostname === undefined ? undefined : new URL(hostname).hostname;
  // Behind a proxy, the proxy has the certificate for the public name.
  const https = checkPair(httpsCertificateFile, httpsCertificateKeyFile, options.proxyHeaders ? undefined : name, now);
  const grpc = checkPair(grpcCertificateFile, grpcCertificateKeyFile, undefined, now);
  const certificates = [...https, ...grpc];
  return certificates.length > 0 ? certificates : [ok('no certificate is configured here')];
}

function checkPair(
  certificate: string | undefined,
  key: string | undefined,
  name: string | undefined,
  now: number,
): Finding[] {
  if (certificate === undefined || key === undefined) return [];
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(readFileSync(certificate));
    if (!parsed.checkPrivateKey(createPrivateKey(readFileSync(key)))) {
      return [problem(`${key} is not the key of ${certificate}`, 'use the key that the certificate was issued for')];
    }
  } catch (error) {
    return [
      problem(`cannot read ${certificate} or ${key}: ${messageOf(error)}`, 'use PEM files that this user can read'),
    ];
  }
  const found: Finding[] = [];
  const days = Math.floor((Date.parse(parsed.validTo) - now) / DAY_MS);
  const from = Date.parse(parsed.validFrom);
  if (from > now) found.push(problem(`${certificate} is valid only from ${parsed.validFrom}`, 'correct the clock'));
  else if (days < 0) found.push(problem(`${certificate} expired on ${parsed.validTo}`, 'renew the certificate'));
  else if (days < SOON_DAYS) found.push(warning(`${certificate} expires in ${days} days`, 'renew the certificate'));
  else found.push(ok(`${certificate} is valid for ${days} days`));
  if (name !== undefined && parsed.checkHost(name) === undefined && parsed.checkIP(name) === undefined) {
    found.push(problem(`${certificate} does not name ${name}`, 'use a certificate for the name in --hostname'));
  }
  if (process.platform !== 'win32' && (statSync(key).mode & 0o004) !== 0) {
    found.push(problem(`every user of this machine can read ${key}`, `chmod 600 ${key}`));
  }
  return found;
}
