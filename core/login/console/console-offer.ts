import { HostError } from '@keyhost/spi';
import { isLoopbackName } from '../../http/direct.js';

/** The options of the host that decide whether console logins are offered. */
export interface ConsoleOptions {
  readonly mode: 'start' | 'start-dev';
  readonly httpHost: string;
  readonly hostname: string | undefined;
  readonly hostnameAdmin: string | undefined;
  readonly proxyHeaders: string | undefined;
}

/**
 * The reason why `keyhost console` cannot sign in on this host; undefined if it can. It requires a trial host that no
 * other machine can reach.
 */
export function consoleLoginObstacle(options: ConsoleOptions): string | undefined {
  const { mode, httpHost, hostname, hostnameAdmin, proxyHeaders } = options;
  if (mode !== 'start-dev') return 'the server runs in production mode';
  if (!isLoopbackName(httpHost)) return `the server listens on ${httpHost}, which others can reach`;
  if (proxyHeaders !== undefined) return 'the server is behind a proxy (--proxy-headers)';
  const publicName = [hostname, hostnameAdmin].find(
    (name) => name !== undefined && !isLoopbackName(new URL(name).host),
  );
  return publicName === undefined ? undefined : `the server has the public address ${publicName}`;
}

export function consoleRefusedError(reason: string): HostError {
  return new HostError('console_refused', reason, { status: 409, expose: true });
}
