import type { Client, ClientConfig } from 'pg';
import type { PostgresqlSettings } from '../../config/options/database-options.js';
import { LIMITS } from './limits.js';
import { PREPARE_CONNECTION } from './postgresql-dialect.js';
import { Session, type StatementNames } from './session.js';

/** After so long without a word the operating system asks whether the other side is still there, in milliseconds. */
const KEEP_ALIVE_MS = 10_000;

/** Makes connections of one database. `pg` is loaded when the first store on PostgreSQL is opened. */
export async function connector(settings: PostgresqlSettings, names: StatementNames): Promise<() => Promise<Session>> {
  const { default: pg } = await import('pg');
  return () => connect(new pg.Client(configOf(settings)), settings, names);
}

async function connect(client: Client, settings: PostgresqlSettings, names: StatementNames): Promise<Session> {
  const session = new Session(client, names);
  try {
    await client.connect();
    const { statement, lock, idleInTransaction } = LIMITS;
    const parameters = [settings.schema ?? '', `${statement}`, `${lock}`, `${idleInTransaction}`];
    await session.send([{ answer: 'row', sql: PREPARE_CONNECTION, parameters }]);
    return session;
  } catch (error) {
    session.destroy('the connection is of no use');
    throw error;
  }
}

/** Everything is said: what is left out, `pg` takes from variables of the environment. */
function configOf({ host, port, database, username, password, tls }: PostgresqlSettings): ClientConfig {
  return {
    host,
    port,
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
