import type { PostgresqlSettings } from '../../config/options/database-options.js';
import { createConnector } from './connect.js';
import { connectError } from './connect-error.js';
import { CURRENT_SCHEMA } from './postgresql-dialect.js';
import { DUPLICATE_STATEMENT } from './postgresql-error.js';
import { type Session, StatementNames } from './session.js';
import { isSharedPerTransaction } from './shared-connections.js';

/**
 * Opens a single connection to a database.
 * @throws BootError `store_failed` if the database cannot be reached, has no schema, is a standby, or is behind a
 * connection pooler that shares connections
 */
export async function openSession(settings: PostgresqlSettings): Promise<Session> {
  // Use separate statement names, so that a statement that runs once does not take the name of a frequent one.
  const connect = await createConnector(settings, new StatementNames());
  let session: Session | undefined;
  try {
    session = await connect();
    const [answer] = await session.send([CURRENT_SCHEMA]);
    if (answer?.rows[0]?.name === null)
      throw Object.assign(new Error('no schema'), { code: '3F000', severity: 'ERROR' });
    if (await isSharedPerTransaction(session, connect))
      throw Object.assign(new Error('its connections are shared'), { code: DUPLICATE_STATEMENT, severity: 'ERROR' });
    return session;
  } catch (error) {
    await session?.end();
    throw connectError(error, settings);
  }
}
