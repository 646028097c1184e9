import pg from 'pg';
import { type MigratedSchema, migrate } from './schema.js';
import type { Settings } from './settings.js';

export type Parameter = string | number | null | readonly (string | null)[];

/** The database. It connects, and creates its tables, on first use. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #schema: string;
  #migrated: Promise<MigratedSchema> | undefined;

  constructor(settings: Settings) {
    const { host, port = 5432, database, username: user, password, connections = 4, timeout = 8 } = settings;
    const { tls = 'verify-server', authorities: ca, schema = 'keyhost_events' } = settings;
    const milliseconds = Math.ceil(timeout * 1000);
    this.#schema = schema;
    // Set every option: the driver reads missing ones from environment variables.
    this.#pool = new pg.Pool({
      host,
      port,
      database,
      user,
      password: password ?? '',
      max: connections,
      ssl:
        tls === 'disabled' || isSocket(host)
          ? false
          : { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: true },
      application_name: 'keyhost events',
      connectionTimeoutMillis: milliseconds,
      statement_timeout: milliseconds,
      query_timeout: milliseconds,
      keepAlive: true,
    });
    // The pool replaces an idle connection that fails.
    this.#pool.on('error', () => {});
  }

  /** @param sql with `$events` in place of the table */
  async run<Row extends object>(sql: string, parameters: readonly Parameter[]): Promise<pg.QueryResult<Row>> {
    const { table } = await this.#ready();
    return this.#pool.query<Row>(sql.replaceAll('$events', table), [...parameters]);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #ready(): Promise<MigratedSchema> {
    this.#migrated ??= migrate(this.#pool, this.#schema).catch((error: unknown) => {
      this.#migrated = undefined;
      throw error;
    });
    return this.#migrated;
  }
}

/** PostgreSQL has no TLS on a Unix socket. The driver takes an absolute path as the folder of one. */
function isSocket(host: string): boolean {
  return host.startsWith('/');
}

/** True for an error in the values of an event, which would fail on every attempt. */
export function isWrongValue(error: unknown): boolean {
  return /^22/.test(String((error as { code?: unknown }).code));
}
