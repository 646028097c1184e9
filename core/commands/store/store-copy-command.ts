import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import { isSealed } from '../../keys/master-key.js';
import { whoServes } from '../../registry/nodes/node-list.js';
import { type CopyReport, copyStore, openStoreForReading, placeOf, type StorePlace } from '../../store/open-store.js';
import { explained, misused, separate, take, takeFlag } from '../command-line.js';
import { copyPlace, SIDE_OPTIONS } from './copy-place.js';
import { ProgressLines } from './copy-progress.js';

const HELP = `keyhost store copy --from PLACE --to PLACE: copies a whole store to another place, while no host serves from it

  A PLACE is the data directory of a host, or a database as --db-url names it, without a password:
      keyhost store copy --from .data --to postgres://keyhost@db.example.com:5432/keyhost --db-password-file /run/secrets/db
      keyhost store copy --from jdbc:postgresql://db.example.com/keyhost --to /var/lib/keyhost --db-username keyhost

  --db-username, --db-password-file, --db-schema, --db-tls-mode, --db-tls-trust-store-file and the variable
  KEYHOST_DB_PASSWORD are those of keyhost start. Where both places are databases, --from-db-… and --to-db-…
  (KEYHOST_FROM_DB_PASSWORD, KEYHOST_TO_DB_PASSWORD) are for one of them.
  --quiet: says nothing of how far it is.

  Everything that the host keeps is copied: realms, users, sessions, keys, tokens, events. Stop all hosts before; a database whose
  nodes are alive is refused, and the source is not changed. It must have the tables of this version (keyhost store migrate).
  The target must be empty. When a copy is interrupted the same command goes on where it stopped; until it is done no host
  starts on the target. In the end both are compared, row by row.
  The master key is no part of a store: start with the same one. Realm files and plugins are none either.

  Exit code: 0 the target has the same as the source, 1 it has not.
`;

/** `keyhost store copy --from PLACE --to PLACE`. @throws BootError `copy_failed`, `store_failed`, `store_locked`, `options_invalid` */
export async function storeCopyCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (explained(argv, HELP)) return;
  const { words, options: shared } = separate(argv, ['--quiet'], ['--from', '--to', ...SIDE_OPTIONS]);
  const isQuiet = takeFlag(words, '--quiet');
  const named = (side: 'from' | 'to') =>
    take(words, `--${side}`) ?? misused(`copy needs --${side} PLACE`, 'keyhost store copy --help');
  const [fromPlace, toPlace] = [named('from'), named('to')];
  const from = copyPlace('from', fromPlace, { words, shared, env });
  const to = copyPlace('to', toPlace, { words, shared, env });
  const [unknown] = [...words, ...((from.postgresql ?? to.postgresql) ? [] : shared)];
  if (unknown !== undefined) misused(`copy does not take ${unknown.split('=')[0]}`, 'keyhost store copy --help');
  if (isSame(from, to)) misused('--from and --to are the same place', 'keyhost store copy --help');
  await refuseNodes(from, isQuiet);
  const lines = new ProgressLines((line) => process.stderr.write(line));
  const report = await copyStore(from, to, isQuiet ? undefined : (progress) => lines.tell(progress));
  process.stdout.write(`${toldOf(report)}\n${nameOf(to)} has the store of ${nameOf(from)}, the same in every table.\n`);
  process.stdout.write(await toldOfKeys(to));
}

function isSame(from: StorePlace, to: StorePlace): boolean {
  if (from.postgresql === undefined || to.postgresql === undefined)
    return from.postgresql === to.postgresql && resolve(from.dataDir) === resolve(to.dataDir);
  return placeOf(from) === placeOf(to) && from.postgresql.schema === to.postgresql.schema;
}

function nameOf(place: StorePlace): string {
  return place.postgresql === undefined ? resolve(place.dataDir) : placeOf(place);
}

/** A data directory is locked by its host; of a database the list of nodes says who serves from it. */
async function refuseNodes(from: StorePlace, isQuiet: boolean): Promise<void> {
  if (from.postgresql === undefined) return;
  const store = await openStoreForReading(from);
  if (store === undefined)
    throw new BootError('store_failed', `there is no store in ${placeOf(from)}`, { hint: 'see --from' });
  try {
    let isTold = isQuiet;
    const nodes = await whoServes(store.entries, Date.now, (ms) => {
      if (!isTold) process.stderr.write('nodes are listed there: waiting to see whether any is alive\n');
      isTold = true;
      return delay(ms);
    });
    if (nodes.length === 0) return;
    throw new BootError('copy_failed', `hosts serve from ${placeOf(from)}: ${nodes.join(', ')}`, {
      hint: 'what they write meanwhile would not be in the copy: stop them',
    });
  } finally {
    await store.close();
  }
}

function toldOf({ isResumed, tables }: CopyReport): string {
  const width = Math.max(...tables.map(({ name }) => name.length));
  const lines = tables.map(
    ({ name, rows, checksum }) => `${name.padEnd(width)}  ${String(rows).padStart(12)} rows  ${checksum}`,
  );
  const withNul = tables.filter((table) => table.withNul > 0).map((table) => `${table.withNul} of ${table.name}`);
  if (withNul.length > 0) lines.push(`Rows with NUL in a text, for which PostgreSQL has U+FFFD: ${withNul.join(', ')}`);
  if (isResumed) lines.push('An earlier run had begun this copy.');
  return lines.join('\n');
}

async function toldOfKeys(to: StorePlace): Promise<string> {
  const store = await openStoreForReading(to);
  if (store === undefined) return '';
  try {
    let [sealed, plain] = [0, 0];
    for (const { name } of await store.realms.list()) {
      for (const { material } of await store.keys.list(name)) {
        if (isSealed(material)) sealed += 1;
        else plain += 1;
      }
    }
    const encrypted = `${sealed} keys of realms are encrypted: start with the same master key.\n`;
    return `${sealed > 0 ? encrypted : ''}${plain > 0 ? `${plain} keys of realms are in plain there.\n` : ''}`;
  } finally {
    await store.close();
  }
}
