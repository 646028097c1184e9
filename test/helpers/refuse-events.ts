import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { sqliteDriver } from '../../core/store/sqlite/driver.js';

/** A data directory whose database rejects events while `refuse` is on, as if it were full. */
export async function refusableEvents(
  t: Pick<ExecutionContext, 'teardown'>,
): Promise<{ dataDir: string; refuse(on: boolean): void }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keyhost-events-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  return {
    dataDir,
    refuse(on) {
      const { DatabaseSync } = sqliteDriver();
      const database = new DatabaseSync(join(dataDir, 'keyhost.db'));
      // The host may be writing.
      database.exec('PRAGMA busy_timeout = 60000');
      database.exec(
        on
          ? "CREATE TRIGGER no_events BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no events today'); END"
          : 'DROP TRIGGER no_events',
      );
      database.close();
    },
  };
}
