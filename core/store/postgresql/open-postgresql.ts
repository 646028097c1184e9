import { BootError } from '../../config/boot-error.js';
import type { PostgresqlSettings } from '../../config/options/database-options.js';
import { type Clock, systemClock } from '../../model/clock.js';
import { RecordStore } from '../records/record-store.js';
import type { Store } from '../store.js';
import { createConnector } from './connect.js';
import { connectError, formatDatabase } from './connect-error.js';
import { migrate, readMissingMigrations } from './migrate.js';
import { openSession } from './open-session.js';
import { Pool } from './pool.js';
import { type EngineOptions, PostgresqlEngine } from './postgresql-engine.js';
import { type Session, StatementNames } from './session.js';
import { Timelines } from './timelines.js';

export interface OpenOptions extends EngineOptions {
  /** Dates migrations; default: the system's clock. */
  readonly clock?: Clock;
}

/**
 * Opens the store of a PostgreSQL database, and creates or upgrades its tables. Any number of hosts may have it open.
 * @throws BootError `store_failed` if the database cannot be reached or used, or was written by a newer Keyhost
 */
export async function openPostgresqlStore(
  settings: PostgresqlSettings,
  { clock = systemClock, ...options }: OpenOptions = {},
): Promise<Store> {
  return new RecordStore(
    await openEngine(settings, options, (session) => migrate(session, formatDatabase(settings), clock.now())),
  );
}

/**
 * Opens the store without migrating it.
 * @returns undefined if the database contains no store
 * @throws BootError `store_failed` if the database cannot be reached or used, or another version of Keyhost wrote it
 */
export async function openPostgresqlForReading(settings: PostgresqlSettings): Promise<Store | undefined> {
  let isEmpty = false;
  const engine = await openEngine(settings, {}, async (session) => {
    const missing = await readMissingMigrations(session, formatDatabase(settings));
    isEmpty = missing === undefined;
    if (isEmpty || missing?.length === 0) return;
    throw new BootError(
      'store_failed',
      `the store in ${formatDatabase(settings)} was written by an older version of Keyhost`,
      {
        hint: 'update it with keyhost store migrate, or start this version of Keyhost',
      },
    );
  });
  if (!isEmpty) return new RecordStore(engine);
  await engine.close();
  return undefined;
}

async function openEngine(
  settings: PostgresqlSettings,
  options: EngineOptions,
  prepare: (session: Session) => Promise<void>,
): Promise<PostgresqlEngine> {
  const session = await openSession(settings);
  try {
    await prepare(session);
  } catch (error) {
    throw connectError(error, settings);
  } finally {
    await session.end();
  }
  const timelines = new Timelines();
  const connect = await createConnector(settings, new StatementNames(), timelines);
  return new PostgresqlEngine(
    new Pool(connect, settings.poolSize, {
      timelines,
      explain: (cause) => connectError(cause, settings).message,
    }),
    settings.poolSize,
    () => openSession(settings),
    options,
  );
}
