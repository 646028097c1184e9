import { createServer } from 'node:net';
import type { HostOptions } from '../../config/options/options.js';
import type { ManagementAccess } from '../../host/management-access.js';
import { codeOf } from '../../model/thrown.js';
import { type Finding, findings } from './finding.js';

const { ok, problem } = findings('ports');
/**
 * The timeout of the request, in milliseconds. The response may take two seconds, since readiness waits for the store
 * and the plugins.
 */
const ANSWER_MS = 10_000;

/** Checks that the server can listen or, if it is running, that it is healthy. */
export async function checkPorts(options: HostOptions, access: ManagementAccess | undefined): Promise<Finding[]> {
  if (access !== undefined) return [await healthOf(access)];
  const { httpHost, httpPort, httpsPort, grpcHost, grpcPort, managementHost, managementPort } = options;
  const isPlain = options.mode === 'start-dev' || options.httpEnabled || options.proxyHeaders !== undefined;
  const portOptions: [flag: string, host: string, port: number][] = [
    ...(isPlain ? [['http-port', httpHost, httpPort] as [string, string, number]] : []),
    ...(httpsPort === undefined ? [] : [['https-port', httpHost, httpsPort] as [string, string, number]]),
    ['grpc-port', grpcHost, grpcPort],
    ['management-port', managementHost, managementPort],
  ];
  const found: Finding[] = [];
  for (const [flag, host, port] of portOptions) {
    // Port 0 selects a free port.
    if (port === 0) continue;
    const code = await listenFailure(host, port);
    if (code === undefined) found.push(ok(`${host}:${port} is free (--${flag})`));
    else if (code === 'EADDRINUSE') {
      if (options.replaceablePorts.some((one) => one === flag))
        found.push(ok(`${host}:${port} is in use: start-dev uses the next free port (--${flag})`));
      else
        found.push(
          problem(`${host}:${port} is in use (--${flag})`, `stop the other program, or set another --${flag}`),
        );
    } else if (code === 'EACCES') {
      const fix = `set a --${flag} of 1024 or more, or let Node listen below: CAP_NET_BIND_SERVICE`;
      found.push(problem(`this user cannot listen on ${host}:${port} (--${flag})`, fix));
    } else {
      const fix = `set --${flag.replace('port', 'host')} to an address of this machine`;
      found.push(problem(`cannot listen on ${host}:${port} (${code})`, fix));
    }
  }
  return found;
}

async function healthOf({ url }: ManagementAccess): Promise<Finding> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
  const { checks } = (await response.json()) as { checks: { name: string; status: string }[] };
  const failedChecks = checks.filter(({ status }) => status !== 'UP').map(({ name }) => name);
  if (failedChecks.length === 0) return ok('the server runs, and its health is UP');
  return problem(`the server runs, and its health is DOWN: ${failedChecks.join(', ')}`, 'read the log of the server');
}

/** The error code if listening on the address fails; undefined if it succeeds. */
function listenFailure(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeOf(error) ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
