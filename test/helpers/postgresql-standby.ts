import { eventually } from './eventually.js';
import { type PostgresqlServer, startPostgresql } from './postgresql-server.js';

/**
 * A standby that has each commit on its disk before the primary acknowledges it.
 * @param port that of the standby; a free one by default
 */
export async function synchronousStandby(primary: PostgresqlServer, port?: number): Promise<PostgresqlServer> {
  const standby = await startPostgresql({ isDurable: true, standbyOf: primary, ...(port !== undefined && { port }) });
  // After the copy: the copy may become a primary, which would then wait for itself.
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.run('SELECT pg_reload_conf()');
  await eventually(
    async () => (await primary.run("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).rows.length === 1,
  );
  return standby;
}
