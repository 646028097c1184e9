import { HostError } from '@keyhost/spi';
import { isLoopbackName } from '../../http/direct.js';

/** What the host was started with, as far as it decides. */
export interface ConsoleOptions {
  readonly mode: 'start' | 'start-dev';
  readonly httpHost: string;
  readonly hostname: string | undefined;
  readonly hostnameAdmin: string | undefined;
  readonly proxyHeaders: string | undefined;
}

/** Why nobody is signed in to the desk by a command here; undefined where that is offered: a trial on one's own machine. */
export function whyNoConsole(options: ConsoleOptions): string | undefined {
  const { mode, httpHost, hostname, hostnameAdmin, proxyHeaders } = options;
  if (mode !== 'start-dev') return 'the server runs in production mode';
  if (!isLoopbackName(httpHost)) return `the server listens on ${httpHost}, which others can reach`;
  if (proxyHeaders !== undefined) return 'the server is behind a proxy (--proxy-headers)';
  const other = [hostname, hostnameAdmin].find((name) => name !== undefined && !isLoopbackName(new URL(name).host));
  return other === undefined ? undefined : `the server has the public address ${other}`;
}

export function consoleRefused(why: string): HostError {
  return new HostError('console_refused', why, { status: 409, expose: true });
}
