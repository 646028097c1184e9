import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgresql } from '../../helpers/postgresql-server.js';
import { startWireCounter, type WireCounter } from './wire-counter.js';

export interface BenchDatabase {
  /** The host's options for it. */
  readonly argv: readonly string[];
  /** Runs a statement as the database's owner, on a connection of its own. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  readonly wire: WireCounter;
  /** The folder of the server's data. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** A database on a separate server, which writes through to its disk and vacuums with its defaults. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  // The server does not keep this process alive.
  const held = setInterval(() => {}, 1000);
  const settings = [
    'autovacuum = on',
    'shared_buffers = 1GB',
    'max_wal_size = 8GB',
    'checkpoint_timeout = 15min',
    'maintenance_work_mem = 512MB',
    'effective_cache_size = 8GB',
    'random_page_cost = 1.1',
  ];
  const server = await startPostgresql({ isDurable: true, settings });
  const { host, database, username } = await server.database();
  const wire = await startWireCounter({ host, port: server.port });
  const url = `postgres://${host}:${wire.port}/${database}`;
  // Deleted with the server's folder.
  const password = join(server.folder, 'password-of-hosts');
  writeFileSync(password, server.password, { mode: 0o600 });
  return {
    argv: ['--db', 'postgres', '--db-url', url, '--db-username', username, '--db-password-file', password],
    run: async (sql) => (await server.run(sql, database)).rows,
    wire,
    folder: server.folder,
    async stop() {
      await wire.close();
      await server.stop();
      clearInterval(held);
    },
  };
}
