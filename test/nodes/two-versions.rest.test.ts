import type { ExecutionContext } from 'ava';
import type { PostgresqlSettings } from '../../core/config/options/database-options.js';
import { replacing } from '../../core/di/module.js';
import { readMigrations } from '../../core/store/engine/migrations.js';
import { Store } from '../../core/store/module.js';
import { openPostgresqlStore } from '../../core/store/postgresql/open-postgresql.js';
import { startHost } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { testPostgresql } from '../helpers/postgresql.js';
import { sharedPostgresql } from '../helpers/postgresql-server.js';
import { testRealm } from '../helpers/realms.js';

const HOSTNAME = ['--hostname', 'http://id.example.test'];
const LOGIN = { ...WEB, grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };

/** The effect of a newer version on the database: its migration, and the record of it. */
async function migrateAsNewerVersion({ database }: PostgresqlSettings, sql: string, readableBy: number): Promise<void> {
  const server = await sharedPostgresql();
  const next = '(SELECT max(version) + 1 FROM schema_migrations)';
  await server.run(
    `BEGIN; ${sql}; INSERT INTO schema_migrations VALUES (${next}, 'x', 0, ${readableBy}); COMMIT`,
    database,
  );
}

testPostgresql(
  'nodes, two versions: a node serves on beside a newer version that added to the store, starts there anew, and does not once it took away',
  async (t: ExecutionContext) => {
    const settings = await (await sharedPostgresql()).database();
    const start = async () =>
      startHost(t, {
        realms: [testRealm('demo')],
        argv: HOSTNAME,
        replace: [replacing(Store, await openPostgresqlStore(settings))],
      });
    const running = await start();
    const { json } = await running.token('demo', LOGIN);
    const refresh = (host: typeof running, token: string) =>
      host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: token });

    const { version: known, readableBy = 0 } = readMigrations(undefined, 'postgresql').at(-1) ?? { version: 0 };
    const expansion =
      "CREATE TABLE shelves (id TEXT PRIMARY KEY); ALTER TABLE users ADD COLUMN shelf TEXT NOT NULL DEFAULT ''";
    await migrateAsNewerVersion(settings, expansion, readableBy);
    const first = await refresh(running, String(json.refresh_token));
    t.is(first.status, 200);
    t.is((await running.token('demo', LOGIN)).status, 200);
    const again = await start();
    t.is((await refresh(again, String(first.json.refresh_token))).status, 200);
    t.is((await again.token('demo', LOGIN)).status, 200);

    await migrateAsNewerVersion(settings, 'DROP TABLE shelves', known + 1);
    const error = await t.throwsAsync(start(), { code: 'store_failed' });
    t.is(error?.message, `the store has schema ${known + 2}; this version of Keyhost supports schemas up to ${known}`);
  },
);
