import { restore as restoreStore } from '../../store/sqlite/restore.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';

export const restore: Command = {
  summary: 'Restores a backup into a data directory without a store',
  usage: '--from FILE',
  details: `Checks the file first, and overwrites nothing: move an existing store away before. The next start
updates a backup of an older version. A backup of a newer version is refused. Start the server with the
master key that it had when you made the backup. Use pg_restore for PostgreSQL.`,
  examples: [
    'restore --from keyhost.backup',
    'restore --from keyhost.backup --data-dir /var/lib/keyhost',
    'restore --from /backups/keyhost-2026-01-31.db --data-dir .data-copy',
  ],
  options: [{ flag: 'from', value: 'FILE', help: 'file that keyhost backup wrote' }],
  serverOptions: ['data-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
  run: restoreBackup,
};

/** @throws BootError `backup_failed`, `store_failed`, `store_locked`, `options_invalid` */
async function restoreBackup(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const from = line.required('from');
  const { dataDir, postgresql } = line.server();
  if (postgresql !== undefined) line.usageError('keyhost restore restores only SQLite', 'use pg_restore');
  restoreStore(from, dataDir);
  process.stdout.write(`Restored ${from} into ${dataDir}\nStart the server with the master key of the backup.\n`);
}
