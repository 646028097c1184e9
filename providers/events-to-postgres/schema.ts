import type pg from 'pg';

/** Migrations, each run once, in order. Released ones never change. */
const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) => `
CREATE TABLE "${schema}".events (
  realm_id TEXT NOT NULL,
  id TEXT NOT NULL,
  realm TEXT NOT NULL,
  kind TEXT NOT NULL,
  time BIGINT NOT NULL,
  type TEXT NOT NULL,
  client_id TEXT,
  user_id TEXT,
  ip_address TEXT,
  session_id TEXT,
  token_id TEXT,
  resource_type TEXT,
  resource_path TEXT,
  auth_realm_id TEXT,
  error TEXT,
  body TEXT NOT NULL,
  expires_at BIGINT,
  PRIMARY KEY (realm_id, id)
);
CREATE INDEX events_time ON "${schema}".events (realm_id, kind, time, id);
CREATE INDEX events_user ON "${schema}".events (realm_id, user_id, time) WHERE user_id IS NOT NULL;
CREATE INDEX events_expiry ON "${schema}".events (expires_at) WHERE expires_at IS NOT NULL;`,
];

export interface MigratedSchema {
  /** The table's qualified name, for statements. */
  readonly table: string;
}

/** Runs the missing migrations, on one node at a time. @throws Error for a schema of a later version of this plugin */
export async function migrate(pool: pg.Pool, schema: string): Promise<MigratedSchema> {
  const migrated = { table: `"${schema}".events` };
  if ((await versionOf(pool, schema)) === MIGRATIONS.length) return migrated;
  const lock = [`keyhost events ${schema}`];
  const client = await pool.connect();
  try {
    // Lock before the transaction begins, so that it sees the changes of the node that had the lock before.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', lock);
    await client.query('BEGIN');
    await runMigrations(client, schema);
    await client.query('COMMIT');
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', lock);
  } catch (error) {
    // Closing the connection releases the lock.
    client.release(true);
    throw error;
  }
  client.release();
  return migrated;
}

async function runMigrations(client: pg.PoolClient, schema: string): Promise<void> {
  const version = await versionOf(client, schema);
  if (version > MIGRATIONS.length)
    throw new Error(`the schema ${schema} has version ${version}; this plugin knows ${MIGRATIONS.length}`);
  if (version === 0) {
    // Create the schema only if it is missing, because the database user may not have the right to create one.
    const { rows } = await client.query<{ is: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS is', [
      `"${schema}"`,
    ]);
    if (rows[0]?.is !== true) await client.query(`CREATE SCHEMA "${schema}"`);
    await client.query(`CREATE TABLE "${schema}".version (version INTEGER NOT NULL)`);
    await client.query(`INSERT INTO "${schema}".version VALUES (0)`);
  }
  for (const migration of MIGRATIONS.slice(version)) await client.query(migration(schema));
  await client.query(`UPDATE "${schema}".version SET version = $1`, [MIGRATIONS.length]);
}

/** The schema's version; 0 if it has none. */
async function versionOf(client: Pick<pg.Pool, 'query'>, schema: string): Promise<number> {
  const { rows } = await client.query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [
    `"${schema}".version`,
  ]);
  if (rows[0]?.name == null) return 0;
  const found = await client.query<{ version: number }>(`SELECT version FROM "${schema}".version`);
  return found.rows[0]?.version ?? 0;
}
