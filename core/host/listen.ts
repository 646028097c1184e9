import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { CertificateFiles } from '../config/options/certificate-files.js';
import type { HostOptions } from '../config/options/options.js';
import type { TlsSettings } from '../config/options/tls-settings.js';

/** Limits of every HTTP server against slow and oversized requests. Milliseconds. */
const LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /** Check interval of these two. */
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
};

/**
 * If a client reads nothing of a response for this time, or at most twice this time, its connection is closed.
 * Milliseconds.
 */
const UNREAD_MS = 60_000;

/** Check interval for idle connections while a server stops, in milliseconds. */
const IDLE_CHECK_MS = 50;

export interface Listening {
  readonly port: number;
  /** Stops accepting, lets requests under way finish within the limit, then closes the remaining connections. */
  close(limitMs: number): Promise<void>;
}

/** @param unreadMs timeout of a response that the client does not read */
export function httpServer(listener: RequestListener, unreadMs = UNREAD_MS): Server {
  return closeUnread(createServer(LIMITS, listener), unreadMs);
}

/** TLS with PEM files, which are reloaded when they change. @throws BootError `listen_failed` */
export function httpsServer(
  listener: RequestListener,
  files: { certificate: string; key: string },
  tls: TlsSettings,
  logger: Logger,
): TlsServer {
  const certificate = new CertificateFiles(files, '--https-certificate-file and --https-certificate-key-file', logger);
  const server = closeUnread(createTlsServer({ ...LIMITS, ...certificate.current, ...tls }, listener), UNREAD_MS);
  // Set all options again, because omitted ones return to Node's defaults.
  certificate.onChanged((changed) => server.setSecureContext({ ...changed, ...tls }));
  server.on('close', () => certificate.close());
  return server;
}

/**
 * Closes connections whose response the client does not read. Connections that wait for their response are not
 * affected.
 */
function closeUnread<T extends Server | TlsServer>(server: T, unreadMs: number): T {
  server.setTimeout(unreadMs, (socket) => {
    // An idle keep-alive connection has a timeout of its own, which has expired too.
    const isKept = socket.timeout !== unreadMs;
    if (isKept || socket.writableLength > 0) socket.destroy();
    // Node emits one timeout per silence, so set the timer again.
    else socket.setTimeout(unreadMs);
  });
  return server;
}

/** @throws BootError `listen_failed` */
export function listen(server: Server | TlsServer, host: string, port: number, option: string): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'the port is already in use' : cause.message;
      const hint = `select another port with ${option}; 0 selects a free port`;
      reject(new BootError('listen_failed', `cannot listen on ${host}:${port}: ${reason}`, { hint, cause }));
    });
    server.listen(port, host, () => {
      resolve({ port: (server.address() as AddressInfo).port, close: (limitMs) => closeServer(server, limitMs) });
    });
  });
}

function closeServer(server: Server | TlsServer, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), limitMs);
    // A request under way before this may still have promised keep-alive; its connection is idle after the response.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Opens http and https; https last, because its URL is the one to display. */
export async function listenHttp(
  options: HostOptions,
  listener: RequestListener,
  logger: Logger,
): Promise<{ scheme: string; listening: Listening }[]> {
  const servers: { scheme: string; listening: Listening }[] = [];
  const { httpsPort, httpsCertificateFile: certificate, httpsCertificateKeyFile: key } = options;
  const plain = options.mode === 'start-dev' || options.httpEnabled || options.proxyHeaders !== undefined;
  if (plain)
    servers.push({
      scheme: 'http',
      listening: await listen(httpServer(listener), options.httpHost, options.httpPort, '--http-port'),
    });
  if (httpsPort !== undefined && certificate !== undefined && key !== undefined) {
    const server = httpsServer(listener, { certificate, key }, options.tls, logger);
    servers.push({ scheme: 'https', listening: await listen(server, options.httpHost, httpsPort, '--https-port') });
  }
  return servers;
}

/** True for a listen address that loopback names reach. */
export function isLoopbackOrAll(host: string): boolean {
  return ['localhost', '::1', '0.0.0.0', '::'].includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}
