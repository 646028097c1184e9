import type { PostgresqlSettings } from '../../config/options/database-options.js';
import type { UpgradableStore } from '../engine/upgrade.js';
import { connectError, formatDatabase } from './connect-error.js';
import { migrate, readMissingMigrations } from './migrate.js';
import { openSession } from './open-session.js';
import { ESTIMATED_ROWS, NO_TIME_LIMIT, selectRowCount } from './postgresql-dialect.js';

/**
 * Opens the store of a database for an upgrade.
 * @throws BootError `store_failed` if the database cannot be reached or used
 */
export async function openDatabaseUpgrade(settings: PostgresqlSettings, now: number): Promise<UpgradableStore> {
  const session = await openSession(settings);
  const location = formatDatabase(settings);
  const withConnectErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw connectError(error, settings);
    }
  };
  return {
    isShared: true,
    missingMigrations: () => withConnectErrors(() => readMissingMigrations(session, location)),
    rows: (table) =>
      withConnectErrors(async () => {
        const [estimate] = await session.send([{ answer: 'row', sql: ESTIMATED_ROWS, parameters: [table] }]);
        const rows = Number(estimate?.rows[0]?.rows ?? -1);
        if (rows >= 0) return rows;
        await session.send([NO_TIME_LIMIT]);
        const [count] = await session.send([selectRowCount(table)]);
        return Number(count?.rows[0]?.rows);
      }),
    migrate: (onStep) => withConnectErrors(() => migrate(session, location, now, onStep)),
    close: () => session.end(),
  };
}
