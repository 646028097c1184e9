import type { RequestListener } from 'node:http';
import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options/options.js';
import { reachableHost } from '../config/options/reachable-host.js';
import type { PublicAddress } from '../realms/public-address.js';
import { isReachableByLoopback, type ListeningServer, listenHttp } from './listen.js';

/** The HTTP servers of the realms. When the host stops, active requests may finish. */
export class HttpServers {
  readonly #parts: { readonly options: HostOptions; readonly logger: Logger; readonly address: PublicAddress };
  #servers: readonly ListeningServer[] = [];
  #httpPort: number | undefined;
  #isDraining = false;

  constructor(parts: { options: HostOptions; logger: Logger; address: PublicAddress }) {
    this.#parts = parts;
  }

  /** True from the start of the shutdown, when load balancers should send no new requests. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The port of http; undefined if it is not open. */
  get httpPort(): number | undefined {
    return this.#httpPort;
  }

  /**
   * Starts to listen.
   * @returns the URL with the relative path, such as `http://127.0.0.1:8080/auth`
   * @throws BootError `listen_failed`
   */
  async open(application: RequestListener): Promise<string> {
    const { options, logger, address } = this.#parts;
    const listener: RequestListener = (request, response) => {
      if (this.#isDraining) response.setHeader('connection', 'close');
      return application(request, response);
    };
    const servers = await listenHttp(options, listener, logger);
    this.#servers = servers.map(({ listening }) => listening);
    this.#httpPort = servers.find(({ scheme }) => scheme === 'http')?.listening.port;
    const mainServer = servers.at(-1);
    if (mainServer === undefined)
      throw new BootError('listen_failed', 'no port to listen on', { hint: 'set --http-port or --https-port' });
    const url = `${mainServer.scheme}://${reachableHost(options.httpHost)}:${mainServer.listening.port}${options.httpRelativePath}`;
    address.setListeningAddress(url);
    if (usesRequestHost(options)) address.addLoopbackNames();
    return url;
  }

  /** Makes the host report itself as not ready, and ends keep-alive connections. It still serves requests. */
  drain(): void {
    this.#isDraining = true;
  }

  async close(): Promise<void> {
    this.drain();
    await Promise.all(this.#servers.map((server) => server.close(this.#parts.options.shutdownTimeout)));
  }
}

/**
 * True in development without `--hostname`. The issuer then has the host name of the request. Browsers and libraries
 * compare the issuer with the URL that they called, which may use any name of the machine.
 */
function usesRequestHost({ mode, hostname, httpHost }: HostOptions): boolean {
  return mode === 'start-dev' && hostname === undefined && isReachableByLoopback(httpHost);
}
