import { experimental, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '@keyhost/spi';
import { CertificateFiles } from '../config/certificate-files.js';
import type { HostOptions } from '../config/options.js';

/** The files of the server's certificate; undefined: it speaks without TLS. @throws BootError `listen_failed` */
export function certificateFiles(options: HostOptions, logger: Logger): CertificateFiles | undefined {
  const { grpcCertificateFile: certificate, grpcCertificateKeyFile: key, grpcClientCaFile: clientCa } = options;
  if (certificate === undefined || key === undefined) return undefined;
  const named = '--grpc-certificate-file, --grpc-certificate-key-file and --grpc-client-ca-file';
  return new CertificateFiles({ certificate, key, clientCa }, named, logger);
}

/** @param clientCa true when clients must show a certificate of the authorities in the files */
export function serverCredentials(files: CertificateFiles | undefined, clientCa: boolean): ServerCredentials {
  if (files === undefined) return ServerCredentials.createInsecure();
  type Provider = Parameters<typeof experimental.createCertificateProviderServerCredentials>[0];
  // grpc-js begins to listen to its credentials only after it has added these listeners: a first call from within
  // would go unheard, and every connection be dropped until the files change.
  const follow = (tell: () => void) => {
    files.onChanged(tell);
    queueMicrotask(tell);
  };
  const provider: Provider = {
    addIdentityCertificateListener: (listener) =>
      follow(() => listener({ certificate: files.current.cert, privateKey: files.current.key })),
    addCaCertificateListener: (listener) =>
      follow(() => listener(files.current.ca === undefined ? null : { caCertificate: files.current.ca })),
    removeIdentityCertificateListener: () => {},
    removeCaCertificateListener: () => {},
  };
  // grpc-js declares the two providers in the other order than it takes them: the host's own certificate comes first.
  return experimental.createCertificateProviderServerCredentials(provider, clientCa ? provider : null, clientCa);
}
