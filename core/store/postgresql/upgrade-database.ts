import type { PostgresqlSettings } from '../../config/options/database-options.js';
import type { Upgradable } from '../engine/upgrade.js';
import { connectError, placeOf } from './connect-error.js';
import { migrate, unapplied } from './migrate.js';
import { openSession } from './open-session.js';
import { countingRows, ESTIMATED_ROWS, NO_TIME_LIMIT } from './postgresql-dialect.js';

/** @throws BootError `store_failed`: the database cannot be reached or used */
export async function openDatabaseUpgrade(settings: PostgresqlSettings, now: number): Promise<Upgradable> {
  const session = await openSession(settings);
  const place = placeOf(settings);
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw connectError(error, settings);
    }
  };
  return {
    isShared: true,
    missing: () => told(() => unapplied(session, place)),
    rows: (table) =>
      told(async () => {
        const [estimate] = await session.send([{ answer: 'row', sql: ESTIMATED_ROWS, parameters: [table] }]);
        const rows = Number(estimate?.rows[0]?.rows ?? -1);
        if (rows >= 0) return rows;
        await session.send([NO_TIME_LIMIT]);
        const [counted] = await session.send([countingRows(table)]);
        return Number(counted?.rows[0]?.rows);
      }),
    migrate: (onStep) => told(() => migrate(session, place, now, onStep)),
    close: () => session.end(),
  };
}
