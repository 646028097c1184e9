import { ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '@keyhost/spi';
import { CertificateFiles } from '../config/options/certificate-files.js';
import type { HostOptions } from '../config/options/options.js';
import type { TlsSettings } from '../config/options/tls-settings.js';

/**
 * Opens the files of the server's certificate; returns undefined without TLS.
 * @throws BootError `listen_failed`
 */
export function openCertificateFiles(options: HostOptions, logger: Logger): CertificateFiles | undefined {
  const { grpcCertificateFile: certificate, grpcCertificateKeyFile: key, grpcClientCaFile: clientCa } = options;
  if (certificate === undefined || key === undefined) return undefined;
  const optionNames = '--grpc-certificate-file, --grpc-certificate-key-file and --grpc-client-ca-file';
  return new CertificateFiles({ certificate, key, clientCa }, optionNames, logger);
}

/** @param clientCa true if clients must present a certificate from one of the authorities in the files */
export function createServerCredentials(
  files: CertificateFiles | undefined,
  clientCa: boolean,
  tls: TlsSettings,
): ServerCredentials {
  return files === undefined ? ServerCredentials.createInsecure() : new ReloadingCredentials(files, clientCa, tls);
}

/**
 * Credentials whose certificate can be replaced at run time, and that support the host's TLS settings. Those of grpc-js
 * do not.
 */
class ReloadingCredentials extends ServerCredentials {
  constructor(files: CertificateFiles, clientCa: boolean, tls: TlsSettings) {
    super({ requestCert: clientCa, rejectUnauthorized: clientCa }, { ...files.current, ...tls });
    // Pass all settings again, because a missing one is reset to Node's default.
    files.onChanged((newSettings) => this.updateSecureContextOptions({ ...newSettings, ...tls }));
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other;
  }
}
