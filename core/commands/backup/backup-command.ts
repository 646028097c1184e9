import { parseOptions } from '../../config/options/options.js';
import { backUp } from '../../store/sqlite/backup.js';
import { explained, misused, take } from '../command-line.js';
import { sizeOf } from './size.js';

const HELP = `keyhost backup --to FILE: copies the store into one file, while the host runs or not

  The copy is the store as it is at one moment; the host goes on meanwhile. FILE is for its owner alone (0600), and nothing is
  overwritten. The master key is not in it: without the same one no host opens the realm keys of the copy. Where a host has
  none, they are in the copy in plain. keyhost restore puts a copy back.

  --data-dir is that of keyhost start (keyhost --help).
  Exit code: 0 the copy is whole and on disk, 1 there is none.
`;

/** `keyhost backup --to FILE`. @throws BootError `backup_failed`, `options_invalid` */
export async function backupCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (explained(argv, HELP)) return;
  const rest = [...argv];
  const to = take(rest, '--to') ?? misused('backup needs --to FILE', 'keyhost backup --help');
  const { dataDir, postgresql } = parseOptions(rest, env, 'start-dev');
  if (postgresql !== undefined)
    misused(
      'a PostgreSQL database is copied by its own tools',
      'pg_dump --format=custom; core/deploy/README.md says how',
    );
  const bytes = await backUp(dataDir, to, process.stderr.isTTY ? tellProgress : undefined);
  process.stdout.write(
    `${to}: ${sizeOf(bytes)}, the whole store of ${dataDir}\n` +
      'The master key is not in it: keep that elsewhere. Without one, the realm keys are in it in plain.\n',
  );
}

function tellProgress(copied: number, all: number): void {
  process.stderr.write(`\r${sizeOf(copied)} of ${sizeOf(all)}${copied === all ? '\n' : ' '}`);
}
