import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import { isEncryptedMaterial } from '../../keys/master-key.js';
import { findLiveNodes } from '../../registry/nodes/node-list.js';
import {
  type CopyReport,
  copyStore,
  formatStoreLocation,
  openStoreForReading,
  type StoreLocation,
} from '../../store/open-store.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { DATABASE_FLAGS, readCopyPlace, SIDE_OPTIONS } from './copy-place.js';
import { ProgressLines } from './copy-progress.js';

export const copy: Command = {
  summary: 'Copies a store between SQLite and PostgreSQL, or between two databases',
  usage: '--from PLACE --to PLACE',
  details: `PLACE is a data directory, or the address of a database as in --db-url, without a password.

Stop all servers first. The source is not changed; update its tables before (keyhost store migrate).
The target must be empty. To continue an interrupted copy, run the same command again. At the end, the
command compares both stores row by row. It does not copy realm files, plugins and the master key:
start the server with the same master key.`,
  examples: [
    'store copy --from .data --to postgres://keyhost@db.example.com:5432/keyhost --db-password-file /run/secrets/db',
    'store copy --from postgres://keyhost@db.example.com/keyhost --to /var/lib/keyhost --db-password-file /run/secrets/db',
    'store copy --from postgres://keyhost@old/keyhost --to postgres://keyhost@new/keyhost --from-db-password-file old --to-db-password-file new',
  ],
  options: [
    { flag: 'from', value: 'PLACE', help: 'store to read' },
    { flag: 'to', value: 'PLACE', help: 'empty store to write' },
    ...SIDE_OPTIONS,
    { flag: 'quiet', help: 'no progress lines' },
  ],
  serverOptions: DATABASE_FLAGS,
  notes: `If both places are databases, --from-db-… (KEYHOST_FROM_DB_…) and --to-db-… (KEYHOST_TO_DB_…) are for
one of them, and --db-… for both.

${EXIT_CODES}`,
  needsArguments: true,
  run: copyStores,
};

/** @throws BootError `copy_failed`, `store_failed`, `store_locked`, `options_invalid` */
async function copyStores(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const isQuiet = line.has('quiet');
  const fromPlace = line.required('from');
  const toPlace = line.required('to');
  const from = readCopyPlace('from', fromPlace, line);
  const target = readCopyPlace('to', toPlace, line);
  const [unused] = (from.postgresql ?? target.postgresql) ? [] : line.serverArgv;
  if (unused !== undefined) line.usageError(`${unused.split('=')[0]} requires a database in --from or --to`);
  if (isSame(from, target)) line.usageError('--from and --to are the same place');
  await requireNoNodes(from, isQuiet);
  const lines = new ProgressLines((text) => process.stderr.write(text));
  const report = await copyStore(from, target, isQuiet ? undefined : (progress) => lines.print(progress));
  process.stdout.write(
    `${describeReport(report)}\nCopied ${nameOf(from)} to ${nameOf(target)}: all tables are equal.\n`,
  );
  process.stdout.write(await describeKeys(target));
}

function isSame(from: StoreLocation, to: StoreLocation): boolean {
  if (from.postgresql === undefined || to.postgresql === undefined)
    return from.postgresql === to.postgresql && resolve(from.dataDir) === resolve(to.dataDir);
  return formatStoreLocation(from) === formatStoreLocation(to) && from.postgresql.schema === to.postgresql.schema;
}

function nameOf(location: StoreLocation): string {
  return location.postgresql === undefined ? resolve(location.dataDir) : formatStoreLocation(location);
}

/**
 * Checks that no node uses the database, by the list of nodes in it. A data directory needs no check, since its host
 * locks it.
 * @throws BootError `copy_failed`, `store_failed`
 */
async function requireNoNodes(from: StoreLocation, isQuiet: boolean): Promise<void> {
  if (from.postgresql === undefined) return;
  const store = await openStoreForReading(from);
  if (store === undefined)
    throw new BootError('store_failed', `no store found in ${formatStoreLocation(from)}`, { hint: 'check --from' });
  try {
    let isReported = isQuiet;
    const nodes = await findLiveNodes(store.entries, Date.now, (ms) => {
      if (!isReported) process.stderr.write('The database lists servers: checking whether they are running …\n');
      isReported = true;
      return delay(ms);
    });
    if (nodes.length === 0) return;
    throw new BootError('copy_failed', `servers are running on ${formatStoreLocation(from)}: ${nodes.join(', ')}`, {
      hint: 'stop them: the copy would not contain what they write',
    });
  } finally {
    await store.close();
  }
}

function describeReport({ isResumed, tables }: CopyReport): string {
  const width = Math.max(...tables.map(({ name }) => name.length));
  const lines = tables.map(
    ({ name, rows, checksum }) => `${name.padEnd(width)}  ${String(rows).padStart(12)} rows  ${checksum}`,
  );
  const rowsWithNul = tables.filter((table) => table.withNul > 0).map((table) => `${table.withNul} of ${table.name}`);
  if (rowsWithNul.length > 0)
    lines.push(`Rows with NUL characters, replaced by U+FFFD in PostgreSQL: ${rowsWithNul.join(', ')}`);
  if (isResumed) lines.push('Continued the copy of an earlier run.');
  return lines.join('\n');
}

async function describeKeys(target: StoreLocation): Promise<string> {
  const store = await openStoreForReading(target);
  if (store === undefined) return '';
  try {
    let encryptedCount = 0;
    let plainCount = 0;
    for (const { name } of await store.realms.list()) {
      for (const { material } of await store.keys.list(name)) {
        if (isEncryptedMaterial(material)) encryptedCount += 1;
        else plainCount += 1;
      }
    }
    const encrypted = `${encryptedCount} realm keys are encrypted: start the server with the same master key.\n`;
    return `${encryptedCount > 0 ? encrypted : ''}${plainCount > 0 ? `${plainCount} realm keys are not encrypted.\n` : ''}`;
  } finally {
    await store.close();
  }
}
