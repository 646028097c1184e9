import { createBackup } from '../../store/sqlite/backup.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { sizeOf } from './size.js';

export const backup: Command = {
  summary: 'Copies the SQLite store to a file, also while the server runs',
  usage: '--to FILE',
  details: `The copy is the store at one moment. Only you can read the file (mode 0600). Nothing is overwritten.
The file does not contain the master key: keep it elsewhere. Without a master key, the file contains
the private keys of realms in plain text. Use pg_dump for PostgreSQL.`,
  examples: [
    'backup --to keyhost.backup',
    'backup --to "/backups/keyhost-$(date +%F).db"',
    'backup --to keyhost.backup --data-dir /var/lib/keyhost',
  ],
  options: [{ flag: 'to', value: 'FILE', help: 'file to write' }],
  serverOptions: ['data-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
  run: makeBackup,
};

/** @throws BootError `backup_failed`, `options_invalid` */
async function makeBackup(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const targetFile = line.required('to');
  const { dataDir, postgresql } = line.server();
  if (postgresql !== undefined) line.usageError('keyhost backup copies only SQLite', 'use pg_dump --format=custom');
  const bytes = await createBackup(dataDir, targetFile, process.stderr.isTTY ? printProgress : undefined);
  process.stdout.write(
    `${targetFile}: ${sizeOf(bytes)}, the complete store of ${dataDir}\n` +
      'The master key is not in this file: keep it elsewhere. Without a master key, the file contains private keys in plain text.\n',
  );
}

function printProgress(copied: number, total: number): void {
  process.stderr.write(`\r${sizeOf(copied)} of ${sizeOf(total)}${copied === total ? '\n' : ' '}`);
}
