import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { ownerOf } from './postgresql-server.js';

/** The path of PgBouncer; undefined if it is not installed. */
export const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/usr/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

export interface Pgbouncer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in front of a database.
 * @param settings lines of its configuration, such as `pool_mode = session`
 * @param wantedPort a free port by default
 */
export async function startPgbouncer(
  to: PostgresqlSettings,
  settings: readonly string[],
  wantedPort?: number,
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'keyhost-pgbouncer-'));
  // It refuses to run as root.
  const owner = ownerOf(folder);
  chmodSync(folder, 0o755);
  const port = wantedPort ?? (await freePort());
  const users = join(folder, 'users');
  writeFileSync(users, `"${to.username}" "${to.password}"\n`);
  const lines = [
    '[databases]',
    `${to.database} = host=${to.host} port=${to.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'max_client_conn = 200',
    'default_pool_size = 50',
    ...settings,
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child: ChildProcess = spawn(PGBOUNCER ?? 'pgbouncer', [file], { ...owner, cwd: folder, stdio: 'ignore' });
  // Do not keep the process alive for it.
  child.unref();
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  await eventually(async () => (await canConnect(port)) || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error('PgBouncer does not start');
  return {
    port,
    async stop() {
      process.off('exit', onExit);
      child.ref();
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
