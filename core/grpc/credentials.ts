import { ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '@keyhost/spi';
import { CertificateFiles } from '../config/options/certificate-files.js';
import type { HostOptions } from '../config/options/options.js';
import type { TlsSettings } from '../config/options/tls-settings.js';

/** The files of the server's certificate; undefined without TLS. @throws BootError `listen_failed` */
export function certificateFiles(options: HostOptions, logger: Logger): CertificateFiles | undefined {
  const { grpcCertificateFile: certificate, grpcCertificateKeyFile: key, grpcClientCaFile: clientCa } = options;
  if (certificate === undefined || key === undefined) return undefined;
  const named = '--grpc-certificate-file, --grpc-certificate-key-file and --grpc-client-ca-file';
  return new CertificateFiles({ certificate, key, clientCa }, named, logger);
}

/** @param clientCa true if clients must present a certificate of the authorities in the files */
export function serverCredentials(
  files: CertificateFiles | undefined,
  clientCa: boolean,
  tls: TlsSettings,
): ServerCredentials {
  return files === undefined ? ServerCredentials.createInsecure() : new FollowedCredentials(files, clientCa, tls);
}

/**
 * Credentials that support a change of the certificate at run time, and the host's TLS settings, which grpc-js's
 * credentials do not.
 */
class FollowedCredentials extends ServerCredentials {
  constructor(files: CertificateFiles, clientCa: boolean, tls: TlsSettings) {
    super({ requestCert: clientCa, rejectUnauthorized: clientCa }, { ...files.current, ...tls });
    // Pass all settings: an omitted one is reset to Node's default.
    files.onChanged((changed) => this.updateSecureContextOptions({ ...changed, ...tls }));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
