import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../helpers/eventually.js';

/** The ports of a node. */
export interface NodePorts {
  readonly http: number;
  readonly management: number;
}

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts HAProxy in front of the nodes. It checks the readiness of each five times a second, and has no sticky
 * sessions.
 * @param answerSeconds timeout for the answer of a node
 */
export async function startBalancer(port: number, nodes: readonly NodePorts[], answerSeconds = 60): Promise<Balancer> {
  const servers = nodes.map(
    ({ http, management }, index) =>
      `  server node${index} 127.0.0.1:${http} check port ${management} inter 200ms fastinter 200ms fall 3 rise 1`,
  );
  const url = `http://127.0.0.1:${port}`;
  const stop = await startHaproxy(
    [
      'defaults',
      '  mode http',
      '  timeout connect 2s',
      '  timeout client 60s',
      `  timeout server ${answerSeconds}s`,
      '  timeout check 1s',
      '  option redispatch',
      // Closes the connections to a hanging node as soon as that is noticed.
      '  default-server on-marked-down shutdown-sessions',
      '  retries 3',
      // Only requests that never reached a node are retried at another one; others are not sent twice.
      '  retry-on conn-failure',
      'frontend public',
      `  bind 127.0.0.1:${port}`,
      '  default_backend nodes',
      'backend nodes',
      '  balance roundrobin',
      '  option httpchk GET /health/ready',
      '  http-check expect status 200',
      ...servers,
    ],
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
  );
  return { url, stop };
}

/** Starts HAProxy in front of database servers. It asks Patroni on each which one is the leader. */
export async function startDatabaseProxy(
  port: number,
  servers: readonly { readonly port: number; readonly restPort: number }[],
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const stop = await startHaproxy(
    [
      'defaults',
      '  mode tcp',
      '  timeout connect 4s',
      '  timeout client 30m',
      '  timeout server 30m',
      '  timeout check 2s',
      'listen primary',
      `  bind 127.0.0.1:${port}`,
      '  option httpchk GET /primary',
      '  http-check expect status 200',
      '  default-server inter 1s fall 3 rise 2 on-marked-down shutdown-sessions',
      ...servers.map((server, index) => `  server pg${index} 127.0.0.1:${server.port} check port ${server.restPort}`),
    ],
    () => canConnect(port),
  );
  return { port, stop };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @returns a function that stops it */
async function startHaproxy(lines: readonly string[], isThere: () => Promise<boolean>): Promise<() => Promise<void>> {
  const program = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path));
  if (program === undefined) throw new Error('HAProxy is not installed: apt-get install haproxy');
  const dir = mkdtempSync(join(tmpdir(), 'keyhost-haproxy-'));
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(file, `${['global', '  maxconn 4000', ...lines].join('\n')}\n`);
  const child: ChildProcess = spawn(program, ['-q', '-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  await eventually(async () => (await isThere()) || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error('HAProxy does not start');
  return async () => {
    process.off('exit', onExit);
    child.kill('SIGTERM');
    rmSync(dir, { recursive: true, force: true });
  };
}
