import { parseOptions } from '../../config/options/options.js';
import { placeOf, type StorePlace } from '../../store/open-store.js';
import { knownSchema, type PlannedMigration, planUpgrade, upgradeStore } from '../../store/upgrade-store.js';
import { asksForHelp, takeFlag } from '../command-line.js';

const HELP = `keyhost store migrate: brings the tables of a store up to date before the first host of this version starts

  keyhost store migrate --plan [options]
      Tells what would be done, on which tables, how long about, and what hosts that serve meanwhile wait with. Changes nothing.
      Exit code: 0 nothing is to be done, 1 the store cannot be used, 2 something is.

  keyhost store migrate [options]
      Does it. A start does the same; done before, a start has nothing to wait for. On a database hosts of the version before go
      on serving meanwhile, and one migration after the other is done, each whole or not at all. Of several that do this at once one
      does it. A data directory is for one process: stop its host.
      Exit code: 0 the tables are those of this version, 1 they are not.

  --data-dir and the options of the database are those of keyhost start (keyhost --help):
      keyhost store migrate --plan --db postgres --db-url postgres://keyhost@db.example.com/keyhost --db-password-file /run/secrets/db
`;

/** `keyhost store migrate [--plan]`. Sets the exit code. @throws BootError `store_failed`, `store_locked`, `options_invalid` */
export async function storeMigrateCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (asksForHelp(argv)) {
    process.stdout.write(HELP);
    return;
  }
  const rest = [...argv];
  const isPlan = takeFlag(rest, '--plan');
  const place = parseOptions(rest, env, 'start-dev');
  if (isPlan) await tellPlan(place);
  else await migrateNow(place);
}

async function tellPlan(place: StorePlace): Promise<void> {
  const planned = await planUpgrade(place);
  process.stdout.write(planned.length === 0 ? upToDate(place) : planned.map(toldOf).join(''));
  process.exitCode = planned.length === 0 ? 0 : 2;
}

function upToDate(place: StorePlace): string {
  return `${placeOf(place)} has the tables of this version (schema ${knownSchema()}): nothing is to be done\n`;
}

function toldOf({ name, contracts, steps }: PlannedMigration): string {
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const lines = [`${name}: ${timeOf(seconds)}`];
  if (contracts !== undefined) {
    lines.push(`    for hosts that know schema ${contracts} or a later one: stop the others before`);
  }
  for (const { told, table, rows } of steps) {
    lines.push(`    ${told}${rows === 0 ? '' : ` (${rows.toLocaleString('en')} rows of ${table})`}`);
  }
  const held = (what: 'writes' | 'everything') =>
    [...new Set(steps.filter((step) => step.holds === what).map(({ table }) => table ?? 'a table'))].join(', ');
  if (held('everything') !== '') lines.push(`    until its end nobody reads or writes ${held('everything')}`);
  if (held('writes') !== '') lines.push(`    until its end nobody writes ${held('writes')}`);
  return `${lines.join('\n')}\n`;
}

function timeOf(seconds: number): string {
  return seconds < 1 ? 'less than a second' : `about ${Math.ceil(seconds).toLocaleString('en')} s`;
}

async function migrateNow(place: StorePlace): Promise<void> {
  let [name, began] = ['', 0];
  const ended = () => {
    if (name !== '') process.stderr.write(`${name}: done in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  };
  const count = await upgradeStore(place, (migration) => {
    ended();
    [name, began] = [migration.name, performance.now()];
    process.stderr.write(`${name} …\n`);
  });
  ended();
  process.stdout.write(
    count === 0 ? upToDate(place) : `${placeOf(place)} has the tables of this version (schema ${knownSchema()})\n`,
  );
}
