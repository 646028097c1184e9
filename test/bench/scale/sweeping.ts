import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sqliteDriver } from '../../../core/store/sqlite/driver.js';
import { CC, realm, WEB } from '../bench-realm.js';
import { production, writeFolder } from '../keyhost.js';
import type { LoadPlan } from '../load.js';
import { Processes } from '../processes.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';
import { runLoad } from '../run-load.js';
import { startBenchDatabase } from './database.js';
import { expiredRows } from './expired-rows.js';

const HELP = `node dist/test/bench/scale/sweeping.js -- [options]: how long requests take while expired rows are swept

  --db sqlite|postgres   (default postgres)
  --rows N               expired marks, tickets and sessions with what they own (default 1000000)
  --rate N               refreshes in a second, and as many client credentials (default 50)
  --seconds N            length of a window (default 20)
`;
const { values } = parseArgs({
  options: {
    db: { type: 'string', default: 'postgres' },
    rows: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
const say = (text: string) => process.stderr.write(`${text}\n`);
const print = (what: string, value: string) => process.stdout.write(`${what.padEnd(56)}${value.padStart(14)}\n`);
const TABLES = ['marks', 'tickets', 'user_sessions'];
/** Longer than the pause between two rounds of a host. */
const ROUND_MS = 66_000;
/** The number of refresh token chains: each gets its answer long before it is used again. */
const CHAINS = 100;

interface Opened {
  readonly argv: readonly string[];
  /** Inserts the rows into the tables that a host has made. */
  fill(rows: number): Promise<void>;
  /** True if expired rows are left. */
  isLeft(): Promise<boolean>;
  close(): Promise<void>;
}

async function openPostgresql(): Promise<Opened> {
  const database = await startBenchDatabase();
  return {
    argv: database.argv,
    async fill(rows) {
      for (const sql of expiredRows(rows, Date.now(), (count) => `generate_series(1, ${count}) n`)) {
        say(sql.slice(0, 30));
        await database.run(sql);
      }
      await database.run('VACUUM ANALYZE');
      await database.run('CHECKPOINT');
    },
    async isLeft() {
      const any = TABLES.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE expires_at <= ${Date.now() - 60_000})`);
      return (await database.run(`SELECT ${any.join(' OR ')} AS left`))[0]?.left === true;
    },
    close: () => database.stop(),
  };
}

async function openSqlite(dir: string): Promise<Opened> {
  const { DatabaseSync } = sqliteDriver();
  const open = () => {
    const database = new DatabaseSync(join(dir, 'data', 'keyhost.db'));
    database.exec('PRAGMA busy_timeout = 5000');
    return database;
  };
  return {
    argv: [],
    async fill(rows) {
      const database = open();
      const numbers = (count: number) =>
        `(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s)`;
      for (const sql of expiredRows(rows, Date.now(), numbers)) {
        say(sql.slice(0, 30));
        database.exec(sql);
      }
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
    async isLeft() {
      const database = open();
      const any = TABLES.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE expires_at <= ${Date.now() - 60_000})`);
      const row = database.prepare(`SELECT ${any.join(' OR ')} AS rest`).get() as { rest: number };
      database.close();
      return row.rest === 1;
    },
    close: async () => undefined,
  };
}

async function main(): Promise<void> {
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const rows = Number(values.rows);
  const rate = Number(values.rate);
  const seconds = Number(values.seconds);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-sweeping-'));
  const processes = new Processes(process.execPath, join(dir, 'code-cache'));
  const opened = values.db === 'sqlite' ? await openSqlite(dir) : await openPostgresql();
  try {
    await writeFolder(dir, [{ ...realm('rs', 'ES256', false), providers: {} } as { realm: string }]);
    const argv = await production(dir, opened.argv);
    // Creates the tables.
    await processes.stop(await processes.start(argv));
    say(`inserting ${rows} rows`);
    await opened.fill(rows);
    const server = await processes.start(argv);
    const began = performance.now();
    const url = `${oidcOf(server, 'rs')}/token`;
    const login = { ...WEB, grant_type: 'password', username: 'alice', password: 'alice', scope: 'openid' };
    const measure = async (name: string) => {
      say(name);
      const chains = await Promise.all(
        Array.from({ length: CHAINS }, async () => (await post(url, login)).refresh_token ?? ''),
      );
      const beside = { url, connections: 16, seconds, warmup: 1, pids: [server.pid] };
      const plans: LoadPlan[] = [
        { ...beside, rate, form: { ...WEB, grant_type: 'refresh_token' }, chains },
        { ...beside, rate, form: CC },
      ];
      const [refresh, tokens] = await Promise.all(plans.map(runLoad));
      print(`${name}: refresh, p50 / p99 / longest`, timesOf(refresh));
      print(`${name}: client credentials, p50 / p99 / longest`, timesOf(tokens));
    };
    await wait(5000);
    await measure('quiet');
    await wait(Math.max(0, ROUND_MS - (performance.now() - began)));
    const first = performance.now();
    await measure('sweeping');
    await measure('sweeping, later');
    while (await opened.isLeft()) {
      await wait(2000);
      if (performance.now() - first > 3_600_000) throw new Error('not swept within an hour');
    }
    print(`${rows} rows are gone after`, `${((performance.now() - first) / 1000).toFixed(0)} s`);
    await measure('afterwards');
  } finally {
    processes.killAll();
    await opened.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function timesOf(result: { p50: number; p99: number; longest: number } | undefined): string {
  return [result?.p50, result?.p99, result?.longest].map((ms) => `${ms?.toFixed(1)}`).join(' / ');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
