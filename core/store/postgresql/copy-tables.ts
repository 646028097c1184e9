import { BootError } from '../../config/boot-error.js';
import type { PostgresqlSettings } from '../../config/options/database-options.js';
import {
  type AppliedRecord,
  COPY_TABLE,
  type CopyDatabase,
  type CopySource,
  type CopyTarget,
  DROP_COPY_TABLE,
  ORIGIN,
  storeProgress,
} from '../copy/copy-database.js';
import { deleteAllSql, type Row } from '../copy/tables.js';
import { statementsOf } from '../engine/migration-steps.js';
import { insertApplied, readMigrations } from '../engine/migrations.js';
import type { Statement } from '../engine/operation.js';
import { connectError, formatDatabase } from './connect-error.js';
import { readCopyProgress } from './copy-progress.js';
import { createMigrationTables } from './migrate.js';
import { openSession } from './open-session.js';
import { analyze, BEGIN, COMMIT, MIGRATION_LOCK, NO_TIME_LIMIT, selectTable } from './postgresql-dialect.js';
import { isConnectionLost, isUniqueViolation } from './postgresql-error.js';
import type { Session } from './session.js';
import { rollBack } from './transaction.js';

/**
 * Opens the store of a database as the source of a copy. The caller must ensure that no host writes to it.
 * @throws BootError `store_failed` if the database cannot be reached, or has no store
 */
export async function openDatabaseSource(settings: PostgresqlSettings): Promise<CopySource> {
  const session = await openPatiently(settings);
  return {
    ...databaseOf(session, settings),
    appliedMigrations: () =>
      told(settings, async () => {
        const sql = 'SELECT version, checksum, applied_at FROM schema_migrations ORDER BY version';
        const [answer] = await session.send([{ answer: 'rows', sql, parameters: [] }]);
        return (answer?.rows ?? []) as unknown as readonly AppliedRecord[];
      }),
  };
}

/**
 * Prepares a database as the target of a copy. `schema_migrations` has no rows until the copy is finished, so that
 * hosts of every version reject it.
 * @throws BootError `store_failed` if the database cannot be reached
 */
export async function openDatabaseTarget(settings: PostgresqlSettings, now: number): Promise<CopyTarget> {
  const session = await openPatiently(settings);
  const place = formatDatabase(settings);
  const send = (statements: readonly (Statement | string)[]) =>
    told(settings, async () => {
      try {
        await session.send([BEGIN, ...statements, COMMIT]);
      } catch (error) {
        await rollBack(session);
        throw error;
      }
    });
  return {
    ...databaseOf(session, settings),
    async kept() {
      const kept = await told(settings, () => readCopyProgress(session));
      if (kept !== undefined) return kept;
      const there = await told(settings, () => session.send([selectTable('realms')]));
      if (there[0]?.rows.length === 0) return undefined;
      throw new BootError('copy_failed', `${place} already contains a store`, {
        hint: 'nothing was overwritten: use an empty database, or an empty schema',
      });
    },
    async begin(tables, origin) {
      await told(settings, () => createMigrationTables(session));
      const made = readMigrations(undefined, 'postgresql').flatMap(({ sql }) => statementsOf(sql));
      const emptied = tables.map((table) => deleteAllSql(table));
      await send([MIGRATION_LOCK, ...made, ...emptied, COPY_TABLE, storeProgress(ORIGIN, origin)]);
    },
    async write(statements, { name, said }) {
      await send([...statements, storeProgress(name, said)]);
    },
    async finish(tables) {
      const applied = readMigrations(undefined, 'postgresql').map((migration) => insertApplied(migration, now));
      await send([...applied, DROP_COPY_TABLE, ...tables.map(({ name }) => analyze(name))]);
    },
  };
}

/**
 * Opens a connection without a time limit for statements. Counting the rows of a large table takes longer than any
 * statement of a host.
 */
async function openPatiently(settings: PostgresqlSettings): Promise<Session> {
  const session = await openSession(settings);
  await told(settings, () => session.send([NO_TIME_LIMIT]));
  return session;
}

function databaseOf(session: Session, settings: PostgresqlSettings): CopyDatabase {
  return {
    location: formatDatabase(settings),
    engine: 'postgresql',
    rows: (statement) =>
      told(settings, async () => {
        const [answer] = await session.send([statement]);
        return (answer?.rows ?? []) as readonly Row[];
      }),
    close: () => session.end(),
  };
}

async function told<T>(settings: PostgresqlSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const place = formatDatabase(settings);
    if (isConnectionLost(error)) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError('copy_failed', `the connection to the database ${place} was lost: ${reason}`, {
        hint: 'to continue, run the same command again when the database is available',
        cause: error,
      });
    }
    if (!isUniqueViolation(error)) throw connectError(error, settings);
    throw new BootError('copy_failed', `${place} already contains a row: ${String(error)}`, {
      hint: 'another keyhost store copy writes to it, or two keys of the source differ only in NUL characters, which PostgreSQL does not support',
      cause: error,
    });
  }
}
