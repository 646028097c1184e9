import { parseOptions } from '../../config/options/options.js';
import { restore } from '../../store/sqlite/restore.js';
import { explained, misused, take } from '../command-line.js';

const HELP = `keyhost restore --from FILE: puts a copy of keyhost backup into a data directory that has no store

  It is checked before anything is put in place. An older version's copy is brought up to date by the next start; a newer
  one's is refused. Nothing is overwritten: move the old store away first.

  --data-dir is that of keyhost start (keyhost --help).
  Exit code: 0 the store is there, 1 it is not.
`;

/** `keyhost restore --from FILE`. @throws BootError `backup_failed`, `store_failed`, `store_locked`, `options_invalid` */
export async function restoreCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (explained(argv, HELP)) return;
  const rest = [...argv];
  const from = take(rest, '--from') ?? misused('restore needs --from FILE', 'keyhost restore --help');
  const { dataDir, postgresql } = parseOptions(rest, env, 'start-dev');
  if (postgresql !== undefined) misused('a PostgreSQL database is restored by its own tools', 'pg_restore');
  restore(from, dataDir);
  process.stdout.write(`${dataDir} has the store of ${from}\nStart with the master key that it was made under.\n`);
}
