import type { Client, ClientConfig } from 'pg';
import type { PostgresqlSettings } from '../../config/options/database-options.js';
import { LIMITS } from './limits.js';
import { PREPARE_CONNECTION } from './postgresql-dialect.js';
import { READ_ONLY, sqlState } from './postgresql-error.js';
import { Session, type StatementNames } from './session.js';
import type { Timelines } from './timelines.js';

/** After this idle time, in milliseconds, the operating system checks whether the server is reachable. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Returns a function that opens connections to a database. It tries the host that worked last, then the others in turn.
 * `pg` is loaded when the first store on PostgreSQL is opened.
 * @param timelines refuses former primaries
 */
export async function createConnector(
  settings: PostgresqlSettings,
  names: StatementNames,
  timelines?: Timelines,
): Promise<() => Promise<Session>> {
  const { default: pg } = await import('pg');
  const servers = [{ host: settings.host, port: settings.port }, ...(settings.otherHosts ?? [])];
  let lastIndex = 0;
  return async () => {
    const failures: unknown[] = [];
    for (let attempt = 0, startIndex = lastIndex; attempt < servers.length; attempt += 1) {
      const index = (startIndex + attempt) % servers.length;
      try {
        const client = new pg.Client({ ...clientConfig(settings), ...servers[index] });
        const session = await connect(client, settings, { names, timelines });
        lastIndex = index;
        return session;
      } catch (error) {
        failures.push(error);
      }
    }
    // One host being a standby is normal. Report why no host accepts writes.
    throw failures.find((error) => sqlState(error) !== READ_ONLY) ?? failures[0];
  };
}

/**
 * Opens a connection and prepares it.
 * @throws errors of the server or the network; an error if the connection was not ready in time, or does not accept
 * writes
 */
async function connect(
  client: Client,
  settings: PostgresqlSettings,
  { names, timelines }: { readonly names: StatementNames; readonly timelines: Timelines | undefined },
): Promise<Session> {
  const session = new Session(client, names);
  // The timeout of `pg` only covers the connection. Without this one, a server that stops responding during the
  // preparation would block forever.
  const timer = setTimeout(() => session.destroy('the connection timed out'), LIMITS.connect);
  try {
    await client.connect();
    const { statement, lock, idleInTransaction } = LIMITS;
    const parameters = [settings.schema ?? '', `${statement}`, `${lock}`, `${idleInTransaction}`];
    const [answer] = await session.send([{ answer: 'row', sql: PREPARE_CONNECTION, parameters }]);
    // A read-only server may lag behind the primary, or never change.
    if (answer?.rows[0]?.is_read_only === 't')
      throw Object.assign(new Error('it is read-only'), { code: READ_ONLY, severity: 'ERROR' });
    await timelines?.check(session);
    return session;
  } catch (error) {
    session.destroy('the connection failed');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Sets every option, because `pg` takes missing ones from environment variables. */
function clientConfig({ database, username, password, tls }: PostgresqlSettings): ClientConfig {
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
