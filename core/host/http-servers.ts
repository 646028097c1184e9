import type { RequestListener } from 'node:http';
import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options/options.js';
import { reachableHost } from '../config/options/reachable-host.js';
import type { PublicAddress } from '../realms/public-address.js';
import { isLoopbackOrAll, type Listening, listenHttp } from './listen.js';

/** The HTTP servers of the realms: they listen, and let requests under way finish when the host stops. */
export class HttpServers {
  readonly #parts: { readonly options: HostOptions; readonly logger: Logger; readonly address: PublicAddress };
  #listening: readonly Listening[] = [];
  #draining = false;

  constructor(parts: { options: HostOptions; logger: Logger; address: PublicAddress }) {
    this.#parts = parts;
  }

  /** True while the host stops: no new requests should arrive. */
  get draining(): boolean {
    return this.#draining;
  }

  /**
   * @returns the URL listened on with the relative path, such as `http://127.0.0.1:8080/auth`
   * @throws BootError `listen_failed`
   */
  async open(application: RequestListener): Promise<string> {
    const { options, logger, address } = this.#parts;
    const listener: RequestListener = (request, response) => {
      if (this.#draining) response.setHeader('connection', 'close');
      return application(request, response);
    };
    const servers = await listenHttp(options, listener, logger);
    this.#listening = servers.map(({ listening }) => listening);
    const main = servers.at(-1);
    if (main === undefined)
      throw new BootError('listen_failed', 'no port to listen on', { hint: 'set --http-port or --https-port' });
    const url = `${main.scheme}://${reachableHost(options.httpHost)}:${main.listening.port}${options.httpRelativePath}`;
    address.setListeningAddress(url);
    if (followsHost(options)) address.addLoopbackNames();
    return url;
  }

  /** Starts to drain: reports unhealthy and ends keep-alive, but still serves requests. */
  drain(): void {
    this.#draining = true;
  }

  async close(): Promise<void> {
    this.drain();
    await Promise.all(this.#listening.map((one) => one.close(this.#parts.options.shutdownTimeout)));
  }
}

/**
 * True for development without `--hostname`: then the issuer is the host name of the request. Browsers and libraries
 * compare the issuer with the URL they called, which may have any name of the machine.
 */
function followsHost({ mode, hostname, httpHost }: HostOptions): boolean {
  return mode === 'start-dev' && hostname === undefined && isLoopbackOrAll(httpHost);
}
