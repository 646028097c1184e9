import type { Client, ClientConfig } from 'pg';
import type { PostgresqlSettings } from '../../config/options/database-options.js';
import { LIMITS } from './limits.js';
import { PREPARE_CONNECTION } from './postgresql-dialect.js';
import { READ_ONLY, sqlState } from './postgresql-error.js';
import { Session, type StatementNames } from './session.js';

/** After so long without a word the operating system asks whether the other side is still there, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Makes connections of one database, by the host that had it last and then by the others in turn. `pg` is loaded when the first store
 * on PostgreSQL is opened.
 */
export async function connector(settings: PostgresqlSettings, names: StatementNames): Promise<() => Promise<Session>> {
  const { default: pg } = await import('pg');
  const servers = [{ host: settings.host, port: settings.port }, ...(settings.otherHosts ?? [])];
  let last = 0;
  return async () => {
    const failures: unknown[] = [];
    for (let turn = 0, from = last; turn < servers.length; turn += 1) {
      const index = (from + turn) % servers.length;
      try {
        const session = await connect(new pg.Client({ ...configOf(settings), ...servers[index] }), settings, names);
        last = index;
        return session;
      } catch (error) {
        failures.push(error);
      }
    }
    // That another one is a standby is as it should be: what is wrong is why none takes writes.
    throw failures.find((error) => sqlState(error) !== READ_ONLY) ?? failures[0];
  };
}

/** @throws what the server or the network says, or that the connection was not ready in time, or that it takes no writes */
async function connect(client: Client, settings: PostgresqlSettings, names: StatementNames): Promise<Session> {
  const session = new Session(client, names);
  // `pg` watches over its own part of it alone, and a server that falls silent after that would be waited for without end.
  const late = setTimeout(() => session.destroy('the connection timed out'), LIMITS.connect);
  try {
    await client.connect();
    const { statement, lock, idleInTransaction } = LIMITS;
    const parameters = [settings.schema ?? '', `${statement}`, `${lock}`, `${idleInTransaction}`];
    const [answer] = await session.send([{ answer: 'row', sql: PREPARE_CONNECTION, parameters }]);
    // What it answers would be as old as it is behind, or for ever what it was.
    if (answer?.rows[0]?.is_read_only === 't')
      throw Object.assign(new Error('it is read-only'), { code: READ_ONLY, severity: 'ERROR' });
    return session;
  } catch (error) {
    session.destroy('the connection failed');
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Everything is said: what is left out, `pg` takes from variables of the environment. */
function configOf({ database, username, password, tls }: PostgresqlSettings): ClientConfig {
  return {
    database,
    user: username,
    password: password ?? '',
    ssl:
      tls.mode === 'disabled' ? false : { rejectUnauthorized: true, ...(tls.authorities && { ca: tls.authorities }) },
    connectionTimeoutMillis: LIMITS.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'keyhost',
    options: '',
  };
}
