import { formatStoreLocation, type StoreLocation } from '../../store/open-store.js';
import { knownSchema, type PlannedMigration, planUpgrade, upgradeStore } from '../../store/upgrade-store.js';
import { type Command, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

export const migrate: Command = {
  summary: 'Updates the tables of the store before a new version starts',
  usage: '[--plan]',
  details: `The start of a new version does the same; after this command, it does not have to wait. Each migration
is applied completely or not at all, and only once if you run the command several times in parallel.
With PostgreSQL, servers of the previous version can keep serving. With SQLite, stop the server first.`,
  examples: [
    'store migrate --plan',
    'store migrate --data-dir /var/lib/keyhost',
    'store migrate --db postgres --db-url postgres://keyhost@db.example.com/keyhost --db-password-file /run/secrets/db',
  ],
  options: [
    { flag: 'plan', help: 'only prints the migrations, their tables, estimated times and locks; changes nothing' },
  ],
  serverOptions: STORE_OPTIONS,
  notes: 'Exit code: 0 success, 1 failure, 2 with --plan if there is something to do',
  run: migrateStore,
};

/** @throws BootError `store_failed`, `store_locked`, `options_invalid` */
async function migrateStore(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const location = line.server();
  if (line.has('plan')) await printPlan(location);
  else await migrateNow(location);
}

async function printPlan(location: StoreLocation): Promise<void> {
  const planned = await planUpgrade(location);
  process.stdout.write(planned.length === 0 ? upToDateText(location) : planned.map(describeMigration).join(''));
  process.exitCode = planned.length === 0 ? 0 : 2;
}

function upToDateText(location: StoreLocation): string {
  return `${formatStoreLocation(location)} is up to date (schema ${knownSchema()})\n`;
}

function describeMigration({ name, contracts, steps }: PlannedMigration): string {
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const lines = [`${name}: ${formatTime(seconds)}`];
  if (contracts !== undefined) {
    lines.push(`    stop servers that do not know schema ${contracts} first`);
  }
  for (const { told, table, rows } of steps) {
    lines.push(`    ${told}${rows === 0 ? '' : ` (${rows.toLocaleString('en')} rows of ${table})`}`);
  }
  const lockedTables = (lockKind: 'writes' | 'everything') =>
    [...new Set(steps.filter((step) => step.holds === lockKind).map(({ table }) => table ?? 'a table'))].join(', ');
  if (lockedTables('everything') !== '')
    lines.push(`    blocks reads and writes of ${lockedTables('everything')} while it runs`);
  if (lockedTables('writes') !== '') lines.push(`    blocks writes to ${lockedTables('writes')} while it runs`);
  return `${lines.join('\n')}\n`;
}

function formatTime(seconds: number): string {
  return seconds < 1 ? 'less than a second' : `about ${Math.ceil(seconds).toLocaleString('en')} s`;
}

async function migrateNow(location: StoreLocation): Promise<void> {
  let name = '';
  let startedAt = 0;
  const printFinished = () => {
    if (name !== '')
      process.stderr.write(`${name}: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
  };
  const count = await upgradeStore(location, (migration) => {
    printFinished();
    [name, startedAt] = [migration.name, performance.now()];
    process.stderr.write(`${name} …\n`);
  });
  printFinished();
  process.stdout.write(
    count === 0 ? upToDateText(location) : `${formatStoreLocation(location)} is now at schema ${knownSchema()}\n`,
  );
}
