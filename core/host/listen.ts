import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@keyhost/spi';
import { CertificateFiles } from '../config/options/certificate-files.js';
import type { HostOptions } from '../config/options/options.js';
import {
  cannotListen,
  type ListenOption,
  listenAtOption,
  PORT_IN_USE,
  type PortFlag,
} from '../config/options/replaceable-ports.js';
import type { TlsSettings } from '../config/options/tls-settings.js';

/** Limits of all HTTP servers against slow and large requests; times in milliseconds. */
const SERVER_LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /** The interval at which `headersTimeout` and `requestTimeout` are checked. */
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

/**
 * A connection is closed if the client reads nothing of a response for this time, in milliseconds. It may take twice as
 * long.
 */
const UNREAD_TIMEOUT_MS = 60_000;

/** The interval at which idle connections are closed while a server stops, in milliseconds. */
const IDLE_CHECK_MS = 50;

export interface ListeningServer {
  readonly port: number;
  /**
   * Stops accepting connections, lets active requests finish within the limit, and then closes the remaining
   * connections.
   */
  close(limitMs: number): Promise<void>;
}

/** @param unreadMs timeout of a response that the client does not read, in milliseconds */
export function createHttpServer(listener: RequestListener, unreadMs = UNREAD_TIMEOUT_MS): Server {
  return closeUnreadConnections(createServer(SERVER_LIMITS, listener), unreadMs);
}

/**
 * Creates a TLS server with PEM files, which are reloaded when they change.
 * @throws BootError `listen_failed`
 */
export function createHttpsServer(
  listener: RequestListener,
  files: { certificate: string; key: string },
  tls: TlsSettings,
  logger: Logger,
): TlsServer {
  const certificate = new CertificateFiles(files, '--https-certificate-file and --https-certificate-key-file', logger);
  const server = closeUnreadConnections(
    createTlsServer({ ...SERVER_LIMITS, ...certificate.current, ...tls }, listener),
    UNREAD_TIMEOUT_MS,
  );
  // Pass all options again, because options that are left out return to Node's defaults.
  certificate.onChanged((newCertificate) => server.setSecureContext({ ...newCertificate, ...tls }));
  server.on('close', () => certificate.close());
  return server;
}

/**
 * Closes connections if the client does not read the response. Connections that wait for a response are not affected.
 */
function closeUnreadConnections<T extends Server | TlsServer>(server: T, unreadMs: number): T {
  server.setTimeout(unreadMs, (socket) => {
    // A different timeout is that of idle keep-alive connections, which has expired.
    const isIdle = socket.timeout !== unreadMs;
    if (isIdle || socket.writableLength > 0) socket.destroy();
    // Node emits `timeout` only once while a socket is inactive, so set the timer again.
    else socket.setTimeout(unreadMs);
  });
  return server;
}

/**
 * Starts to listen, at the next free port if the option's port is used and may be replaced.
 * @throws BootError `listen_failed`
 */
export function listen(
  server: Server | TlsServer,
  option: ListenOption,
  replacing: { readonly replaceable: readonly PortFlag[]; readonly logger: Logger },
): Promise<ListeningServer> {
  const { flag, host } = option;
  const tryPort = (port: number) =>
    new Promise<ListeningServer | typeof PORT_IN_USE>((resolve, reject) => {
      const onError = (cause: NodeJS.ErrnoException) => {
        server.off('listening', onListening);
        if (cause.code === 'EADDRINUSE') resolve(PORT_IN_USE);
        else reject(cannotListen(host, port, cause.message, flag, cause));
      };
      const onListening = () => {
        resolve({ port: (server.address() as AddressInfo).port, close: (limitMs) => closeServer(server, limitMs) });
      };
      server.once('error', onError);
      server.once('listening', onListening);
      server.listen(port, host);
    });
  return listenAtOption(option, replacing, tryPort);
}

function closeServer(server: Server | TlsServer, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const killTimer = setTimeout(() => server.closeAllConnections(), limitMs);
    // An active request may have a response with keep-alive. Its connection then becomes idle later, so close idle
    // connections again and again.
    const idleTimer = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearTimeout(killTimer);
      clearInterval(idleTimer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Opens the HTTP and HTTPS servers; HTTPS last, because its URL is the one to display. */
export async function listenHttp(
  options: HostOptions,
  listener: RequestListener,
  logger: Logger,
): Promise<{ scheme: string; listening: ListeningServer }[]> {
  const servers: { scheme: string; listening: ListeningServer }[] = [];
  const {
    httpHost: host,
    replaceablePorts,
    httpsPort,
    httpsCertificateFile: certificate,
    httpsCertificateKeyFile: key,
  } = options;
  const replacing = { replaceable: replaceablePorts, logger };
  const isHttpEnabled = options.mode === 'start-dev' || options.httpEnabled || options.proxyHeaders !== undefined;
  if (isHttpEnabled)
    servers.push({
      scheme: 'http',
      listening: await listen(
        createHttpServer(listener),
        { flag: 'http-port', host, port: options.httpPort },
        replacing,
      ),
    });
  if (httpsPort !== undefined && certificate !== undefined && key !== undefined) {
    const server = createHttpsServer(listener, { certificate, key }, options.tls, logger);
    servers.push({
      scheme: 'https',
      listening: await listen(server, { flag: 'https-port', host, port: httpsPort }, replacing),
    });
  }
  return servers;
}

/** True if a server that listens at this address can be reached by a loopback name. */
export function isReachableByLoopback(host: string): boolean {
  return ['localhost', '::1', '0.0.0.0', '::'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}
